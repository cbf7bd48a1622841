"""The rules of each game as a literal list: each is coded, tested, explained and mutated."""

import pytest

from tests.games import GAMES
from tests.rule_list import all_rule_lists

LISTS = all_rule_lists()
each_list = pytest.mark.parametrize("rules", LISTS, ids=str)
each_rule = pytest.mark.parametrize(
    ("rules", "number"),
    [pytest.param(rules, number, id=number) for rules in LISTS for number in rules.numbers],
)


def test_each_game_has_a_list():
    assert {str(rules) for rules in LISTS} >= {game.spec.name for game in GAMES}


@each_list
def test_rules_are_numbered_from_one(rules):
    assert rules.numbers == [f"{rules.letter}{n + 1}" for n in range(len(rules.numbers))]


@each_list
def test_each_rule_opens_exactly_one_docstring(rules):
    assert rules.rules_in_code() == rules.numbers


@each_list
def test_each_rule_stands_on_the_page(rules):
    assert rules.rules_on_page() == rules.numbers


@each_list
def test_no_test_is_named_by_a_rule_that_does_not_exist(rules):
    assert rules.rules_with_tests() == set(rules.numbers)


@each_rule
def test_each_rule_has_a_test(rules, number):
    assert rules.tests_of(number)


@each_list
def test_each_rule_has_a_mutation(rules):
    assert list(rules.mutations) == rules.numbers


@each_rule
def test_each_mutation_changes_one_line_of_its_rule(rules, number):
    old, new = rules.mutations[number]
    line = rules.line_to_mutate(number)
    assert line.replace(old, new) != line
    assert "\n" not in new
