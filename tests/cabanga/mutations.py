"""The rules of Cabanga, and one wrong line for each: what stands there, what a mutant has."""

NUMBERS = ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11"]
RULES = "cabanga_env/rules.py"
TESTS = "tests/cabanga/test_rules.py"
PAGE = "docs/rules/cabanga.md"

MUTATIONS = {
    "C1": ("for k in range(HAND_SIZE):", "for k in range(HAND_SIZE - 1):"),
    "C2": ("game.top[colour, side] = value", "game.top[colour, 1 - side] = value"),
    "C3": ("if colour == game.last_colour:", "if colour != game.last_colour:"),
    "C4": ("-(bit(low) << 1)", "-bit(low)"),
    "C5": ("draw_penalty(game, game.active)", "draw_penalty(game, seat)"),
    "C6": (" and game.discard_size > 0:", " and game.discard_size > 1:"),
    "C7": ("        seat = left_of(game, seat)", "        seat = game.active"),
    "C8": ("if game.hand_size[seat] == 0:", "if game.hand_size[game.active] == 0:"),
    "C9": ("+= game.points[value - 1]", "+= game.points[0]"),
    "C10": ("return left_of(game, game.active)", "return game.active"),
    "C11": ("return rounds_or_target_reached(game)", "return game.score[0] >= game.target"),
}
