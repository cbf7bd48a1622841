"""The rules of Allergo, and one wrong line for each: what stands there, what a mutant has."""

NUMBERS = [
    *("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9"),
    *("A10", "A11", "A12", "A13", "A14", "A15", "A16", "A17", "A18"),
]
RULES = "allergo_env/rules.py"
TESTS = "tests/allergo/test_rules.py"
PAGE = "docs/rules/allergo.md"

MUTATIONS = {
    "A1": ("draw_cards(game, seat, HAND_SIZE)", "draw_cards(game, seat, HAND_SIZE - 1)"),
    "A2": ("(OF_KIND[game.kind] if game.kind != NONE else 0)", "0"),
    "A3": ("* COSTS[card]", "* 1"),
    "A4": ("MAUVE if game.hand_size[seat] == 1 else 0", "0"),
    "A5": ("return OF_KIND[PLUS_2] | 1 << PLUS_3", "return 1 << PLUS_3"),
    "A6": ("game.direction = -game.direction", "game.direction = CLOCKWISE"),
    "A7": ("next_of(game, next_of(game, game.active))", "next_of(game, game.active)"),
    "A8": ("or top_card(game) == PLUS_3 or", "or"),
    "A9": ("draw_cards(game, seat, POLLEN)", "draw_cards(game, seat, POLLEN - 1)"),
    "A10": ("draw_cards(game, seat, ALLERGY)", "draw_cards(game, seat, POLLEN)"),
    "A11": ("playable_cards(game, seat) & ~(1 << PLUS_4)", "playable_cards(game, seat)"),
    "A12": ("game.direction = ANTICLOCKWISE", "game.direction = CLOCKWISE"),
    "A13": ("draw_cards(game, game.laid_by, FOR_SILENCE)", "draw_cards(game, seat, FOR_SILENCE)"),
    "A14": ("if card != NONE and playable_cards", "if card == NONE and playable_cards"),
    "A15": (
        "draw_cards(game, seat, FOR_MISTAKE + game.fine)",
        "draw_cards(game, seat, FOR_MISTAKE)",
    ),
    "A16": ("while game.hand[seat, top_card(game)] == 0:", "while game.hand[seat, 0] == 0:"),
    "A17": (
        "return is_spent or rounds_or_target_reached(game)",
        "return rounds_or_target_reached(game)",
    ),
    "A18": ("game.discard_size > 1:", "game.discard_size > 2:"),
}
