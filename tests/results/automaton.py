"""Judges controllers as HOA automata: automaton.py NAME,... FILE... with the names of outputs.

The grammar of the format is that of hoa-utils. Then what makers and checkers of controllers
rely on: `controllable-AP` names the outputs and nothing else, there is one state to start in,
every run is accepted, and the edges are those of a machine: each setting of the inputs has one
answer, or none where the assumptions rule it out. Which of the two it is is printed.
"""

import itertools
import pathlib
import re
import sys

import hoa
from lark import Lark


def reader():
    grammar = pathlib.Path(hoa.__file__).parent / "grammars" / "hoa.lark"
    text = grammar.read_text()
    # hoa-utils 0.1.0 wants a `"` behind the names of header items that it does not know, and
    # its classes refuse an acceptance without sets; so its grammar is used, mended, and no more.
    assert text.count(':"/') == 1
    return Lark(text.replace(':"/', ":/"))


def words(node):
    return [str(token) for token in node.scan_values(lambda _: True)]


def judge(text, outputs):
    [automaton] = reader().parse(text).find_data("automaton")
    header, body = automaton.children
    items = {}
    for item in header.children[1:]:
        [value] = item.children
        name = value.data
        values = words(value)
        if name == "headername":
            name, *values = values
        assert name not in items, name
        items[name] = values
    assert words(header.children[0]) == ["v1"]
    count, *names = items["propositions"]
    names = [name.strip('"') for name in names]
    assert len(set(names)) == int(count) == len(names), names
    driven = [int(number) for number in items["controllable-AP:"]]
    assert sorted(names[number] for number in driven) == sorted(outputs), (names, driven)
    assert items["start_state"] == ["0"], items
    assert items["acc_name"] == ["all"] and items["acceptance"] == ["0", "t"], items
    assert {"deterministic", "explicit-labels", "trans-labels"} <= set(items["properties"])
    assert "complete" not in items["properties"], "an output is an answer, not any value"

    states = {}
    for node in body.children:
        if node.data == "state_name":
            edges = states.setdefault(int(words(node)[0]), [])
        else:
            [target] = [words(part) for part in node.children if part.data == "state_conj"]
            edges.append(int(target[0]))
            assert len(target) == 1 and node.children[0].data == "label", node
    assert list(states) == list(range(int(items["num_states"][0]))), states
    # The grammar does not say that `!` binds before `&`; Python's `not` does before `and`.
    labels = iter(re.findall(r"\[([^]]*)\]", text.split("--BODY--")[1]))
    inputs = [number for number in range(len(names)) if number not in driven]
    answers_all = True
    for state, targets in states.items():
        assert set(targets) <= set(states), targets
        own = [condition(label) for label in itertools.islice(labels, len(targets))]
        assert len(own) == len(targets)
        answers = []
        for values in itertools.product([False, True], repeat=len(names)):
            taken = sum(eval(label, {"v": values}) for label in own)
            assert taken <= 1, f"state {state} is not deterministic"
            if taken:
                answers.append(tuple(values[number] for number in inputs))
        assert len(set(answers)) == len(answers), f"state {state} has two answers to an input"
        answers_all &= len(answers) == 2 ** len(inputs)
    assert next(labels, None) is None
    return answers_all


def condition(label):
    assert re.fullmatch(r"t|!?\d+(&!?\d+)*", label), label
    if label == "t":
        return "True"
    label = re.sub(r"\d+", lambda number: f"v[{number[0]}]", label)
    return label.replace("!", " not ").replace("&", " and ").strip()


outputs, *files = sys.argv[1:]
for file in files:
    answers_all = judge(pathlib.Path(file).read_text(), outputs.split(","))
    print("answers all inputs" if answers_all else "answers some inputs")
