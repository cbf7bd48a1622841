"""The rules of Cabanga as a literal list: each is coded, tested, explained and mutated."""

import pytest

from tests.cabanga.mutations import MUTATIONS, RULES, TESTS
from tests.rule_list import RuleList

NUMBERS = ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11"]
LIST = RuleList(NUMBERS, RULES, TESTS, "docs/rules/cabanga.md", MUTATIONS)


def test_each_rule_opens_exactly_one_docstring():
    assert LIST.rules_in_code() == NUMBERS


def test_each_rule_stands_on_the_page():
    assert LIST.rules_on_page() == NUMBERS


def test_no_test_is_named_by_a_rule_that_does_not_exist():
    assert LIST.rules_with_tests() == set(NUMBERS)


@pytest.mark.parametrize("number", NUMBERS)
def test_each_rule_has_a_test(number):
    assert LIST.tests_of(number)


def test_each_rule_has_a_mutation():
    assert list(MUTATIONS) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_each_mutation_changes_one_line_of_its_rule(number):
    old, new = MUTATIONS[number]
    line = LIST.line_to_mutate(number)
    assert line.replace(old, new) != line
    assert "\n" not in new
