"""The pages say what is true; after a wanted change run `python -m tests.docs_write`."""

from tests.docs_write import LEAGUE_PAGES, ROOT, page_of, text_of, with_league
from tests.games import each_game


@each_game
def test_the_encodings_are_those_of_the_blocks(game):
    assert page_of(game.spec).read_text(encoding="utf-8") == text_of(game.spec)


@each_game
def test_the_rules_page_links_the_encodings(game):
    page = ROOT / "docs" / "rules" / f"{game.spec.name}.md"
    assert f"](../encodings/{game.spec.name}.md)" in page.read_text(encoding="utf-8")


def test_the_league_on_the_pages_is_that_of_the_cards():
    for page in LEAGUE_PAGES:
        text = page.read_text(encoding="utf-8")
        assert text == with_league(text)
        assert "| Cabanga, 2 seats |" in text
