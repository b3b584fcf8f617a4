"""The command line: answers, JSON, exit status 2 and one clear line on bad input."""

import json
import subprocess
import sys

import pytest

from tradekit.bazar import Exchange
from tradekit.cli import main

EQUATIONS = "R=BGYW R=WW W=BG B=GG Y=WG G=YY BB=RY WW=GB YYB=R GW=BY"


def test_chain_prints_the_chain_and_what_the_die_says(capsys):
    assert main(["chain", "--equations", EQUATIONS, "--have", "R R W", "--want", "GGGGG*", "--left", "0"]) == 0
    out = capsys.readouterr().out
    exchange = Exchange(EQUATIONS)
    assert exchange.chain("RRW", "GGGGG*", left=0).to_text() in out
    assert f"{exchange.solve('GGGGG*', left=0).turns('RRW'):.3f} expected turns" in out


def test_chain_of_cards_is_that_of_the_house_deck(capsys):
    assert main(["chain", "--cards", "1", "4", "--have", "R R", "--want", "RWBGY", "--left", "0"]) == 0
    assert Exchange.of_cards(1, 4).chain("RR", "RWBGY", left=0).to_text() in capsys.readouterr().out


def test_json_is_the_same_answer(capsys):
    assert main(["chain", "--equations", EQUATIONS, "--have", "RRW", "--want", "GGGGG*", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    chain = Exchange(EQUATIONS).chain("RRW", "GGGGG*")
    assert answer["chain"]["turns"] == chain.turns == len(answer["chain"]["steps"])
    assert [step["trade"] for step in answer["chain"]["steps"]] == [str(trade) for trade in chain.trades]
    assert answer["exchange"] == [str(e) for e in Exchange(EQUATIONS).equations]


def test_no_chain_is_an_answer_with_status_1(capsys):
    assert main(["chain", "--equations", "R=WW", "--have", "R", "--want", "GGGGG", "--left", "0", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["chain"] is None
    assert main(["chain", "--equations", "R=WW", "--have", "R", "--want", "GGGGG"]) == 1
    assert "There is no chain, of any length." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--cards", "1", "11", "--want", "RWBGY"], "tradekit: there is no exchange card 11; "),
        (["--cards", "1", "1", "--want", "RWBGY"], "tradekit: cards 1, 1: each card is there once (BZ-3)"),
        (["--cards", "x", "--want", "RWBGY"], "tradekit: argument --cards: invalid int value: 'x'"),
        (["--equations", "R=WQ", "--want", "RWBGY"], "tradekit: 'WQ': unknown colour 'Q'; colours are R W B G Y"),
        (["--equations", "R=W WW=R R=W", "--want", "RWBGY"], "tradekit: equation R=W is there twice"),
        (["--equations", "", "--want", "RWBGY"], "tradekit: 0 equations; an exchange has 1 to 10 (BZ-3)"),
        (["--equations", "R=W", "--want", "RWBG"], "tradekit: 'RWBG': a ware shows five stones, not 4 (BZ-4)"),
        (["--equations", "R=W", "--want", "RWBGY", "--have", "11R"], "tradekit: RRRRRRRRRRR: 11 stones; "),
        (["--equations", "R=W", "--want", "RWBGY", "--left", "-1"], "tradekit: left=-1: how many stones"),
        (["--equations", "R=W"], "tradekit: the following arguments are required: --want"),
        (["--cards", "1", "--deck", "nowhere.csv", "--want", "RWBGY"], "tradekit: [Errno 2]"),
        ([], "tradekit: the following arguments are required: --want"),
    ],
)
def test_bad_input_is_status_2_and_one_line(capsys, arguments, line):
    try:
        status = main(["chain", *arguments])
    except SystemExit as stop:  # argparse leaves by itself
        status = stop.code
    shown = capsys.readouterr()
    assert status == 2
    assert shown.out == ""
    assert shown.err.startswith(line)
    assert shown.err.count("\n") == 1


def test_a_deck_of_one_s_own(tmp_path, capsys):
    deck = tmp_path / "mine.txt"
    deck.write_text("card 7\nR=WW\nW=BG\nB=GG\nG=YY\nYYB=R\n", "utf-8")
    assert main(["chain", "--deck", str(deck), "--cards", "7", "--have", "RR", "--want", "WWBGR"]) == 0
    assert "RR buys RWWBG" in capsys.readouterr().out


def test_lab_copies_the_notebooks_once_and_never_overwrites(tmp_path, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr("jupyterlab.labapp.main", opened.append)
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "--", "--no-browser"]) == 0
    mine = tmp_path / "tradekit-notebooks" / "01_start_here.ipynb"
    assert mine.exists()
    assert (tmp_path / "tradekit-notebooks" / "solutions" / "01_start_here.ipynb").exists()
    assert not list((tmp_path / "tradekit-notebooks").rglob("*.py"))
    mine.write_text("my own notes")
    assert main(["lab"]) == 0
    assert mine.read_text() == "my own notes"
    assert opened[0][0].endswith("01_start_here.ipynb")
    assert "--no-browser" in opened[0]


def test_runs_as_a_module_and_help_needs_no_numpy():
    program = (
        "import sys; sys.argv = ['tradekit', '--help']\ntry:\n import tradekit.__main__\nexcept SystemExit: pass\n"
    )
    program += "assert 'numpy' not in sys.modules"
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert "chain" in shown
    assert "lab" in shown
