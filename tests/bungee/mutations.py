"""The rules of Bungee, and one wrong line for each: what stands there, what a mutant has."""

NUMBERS = [
    *("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"),
    *("B9", "B10", "B11", "B12", "B13", "B14", "B15"),
]
RULES = "bungee_env/rules.py"
TESTS = "tests/bungee/test_rules.py"
PAGE = "docs/rules/bungee.md"

MUTATIONS = {
    "B1": ("for _ in range(HAND_SIZE):", "for _ in range(HAND_SIZE - 1):"),
    "B2": ("put_down(game, dealer, action - SWAP, 1)", "put_down(game, dealer, BUNGEE, 1)"),
    "B3": ("drawn = NO_CARD if takes else next_card(game)", "drawn = NO_CARD"),
    "B4": ("return game.discard_size > 0", "return game.discard_size >= 0"),
    "B5": ("points = bungee * int(game.hand[seat, BUNGEE])", "points = 0"),
    "B6": ("to_the_left(game, seat, 1 + int(game.n_sixes))", "to_the_left(game, seat, 1)"),
    "B7": ("game.lap = all_others(game)", "game.lap = all_others(game) >> 1"),
    "B8": ("return game.n_callers > 0 and", "return game.n_callers > 1 and"),
    "B9": ("return all_others(game) & -(1 << n_passed), 1", "return all_others(game), 1"),
    "B10": ("<= points_of(game, best, 0)", "< points_of(game, best, 0)"),
    "B11": ("WINNER_SCORE if seat == won_by else hand", "hand"),
    "B12": ("return game.round_no >= game.max_rounds", "return game.round_no > game.max_rounds"),
    "B13": ("game.discard_size > 1:", "game.discard_size > 2:"),
    "B14": (
        "return left_of(game, left_of(game, game.dealer))",
        "return left_of(game, game.dealer)",
    ),
    "B15": ("return game.turn_no >= game.turn_limit", "return game.turn_no > game.turn_limit"),
}
