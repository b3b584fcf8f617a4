"""The command line: answers, JSON, exit status 2 and one clear line on bad input."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from tests.tournament.players import Strange
from tradekit import bazar, bots, silk, tournament, turin
from tradekit.bazar import Exchange
from tradekit.cli import STOPPED, main

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
        (["--cards", "x", "--want", "RWBGY"], "tradekit: --cards='x': must be a whole number"),
        (["--equations", "R=WQ", "--want", "RWBGY"], "tradekit: 'WQ': unknown colour 'Q'; colours are R W B G Y"),
        (["--equations", "R=W WW=R R=W", "--want", "RWBGY"], "tradekit: equation R=W is there twice"),
        (["--equations", "", "--want", "RWBGY"], "tradekit: 0 equations; an exchange has 1 to 10 (BZ-3)"),
        (["--equations", "R=W", "--want", "RWBG"], "tradekit: 'RWBG': a ware shows five stones, not 4 (BZ-4)"),
        (["--equations", "R=W", "--want", "RWBGY", "--have", "11R"], "tradekit: RRRRRRRRRRR: 11 stones; "),
        (["--equations", "R=W", "--want", "RWBGY", "--left", "-1"], "tradekit: left='-1': must be 0 or more, "),
        (["--equations", "R=W"], "tradekit: the following arguments are required: --want"),
        (
            ["--cards", "1", "--deck", "nowhere.csv", "--want", "RWBGY"],
            "tradekit: nowhere.csv: No such file or directory",
        ),
        (["--equations", "R=W", "--deck", "nowhere.csv", "--want", "RWBGY"], "tradekit: --deck goes with --cards: "),
        ([], "tradekit: the following arguments are required: --want"),
    ],
)
def test_bad_input_is_status_2_and_one_line(capsys, arguments, line):
    refused(capsys, ["chain", *arguments], line)


def refused(capsys, arguments, line):
    try:
        status = main(arguments)
    except SystemExit as stop:  # argparse exits by itself
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


# Tournaments

PLAY = ["tournament", "bazar", "chain", "random", "--seed", "1", "--option", "cards=1,4", "--option", "patience=2"]
GAMES = {"seed": 1, "progress": False, "cards": (1, 4), "patience": 2}


def played(games, **options):
    return tournament.play("bazar", ["chain", "random"], games, **GAMES | options)


def test_tournament_prints_the_summary_and_keeps_the_games(tmp_path, capsys):
    files = ["--file", str(tmp_path / "games.jsonl"), "--parquet", str(tmp_path / "games.parquet")]
    assert main([*PLAY, "--games", "6", *files]) == 0
    result = played(6)
    shown = capsys.readouterr()
    assert shown.out == result.summary.round(3).to_string() + "\n" and shown.err == ""
    assert tournament.Result.load(tmp_path / "games.jsonl").played == result.played
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "games.parquet"), result.games, check_dtype=False)


def test_tournament_on_two_processes_in_json_is_the_same(capsys):
    assert main([*PLAY, "--games", "6", "--players", "3", "--jobs", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    result = played(6, players=3)
    assert answer["games"] == len(result.played) == 6 and answer["complete"] is True
    assert pd.DataFrame(answer["summary"]).set_index("bot").equals(result.summary.round(3))


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("over_ten=penalty", {"over_ten": "penalty"}),
        ("double=yes", {"double": True}),
        ("points=5,3,2,1/8,5,3,2/12,8,5,4", {"points": ((5, 3, 2, 1), (8, 5, 3, 2), (12, 8, 5, 4))}),
    ],
)
def test_options_are_written_as_in_a_record(capsys, tmp_path, option, values):
    assert main([*PLAY, "--games", "2", "--option", option, "--file", str(tmp_path / "games.jsonl")]) == 0
    assert tournament.Result.load(tmp_path / "games.jsonl") == played(2, **values)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["chess", "random"], "tradekit: there is no game 'chess'; "),
        (["bazar", "nobody"], "tradekit: there is no bot 'nobody'; there are "),
        (["bazar", "value"], "tradekit: bot 'value' does not play bazar"),
        (["bazar", "random", "chain", "random"], "tradekit: bot 'random' is there twice; name it once"),
        (["bazar"], "tradekit: the following arguments are required: bot"),
        (["bazar", "random", "--games", "0"], "tradekit: --games='0': must be 1 or more"),
        (["bazar", "random", "--games", "many"], "tradekit: --games='many': must be a whole number"),
        (["bazar", "random", "--players", "9"], "tradekit: players=9: 1 to 6 can play (BZ-6)"),
        (["bazar", "random", "--seconds", "0"], "tradekit: seconds=0: must be more than 0, or None for no limit"),
        (["bazar", "random", "--errors", "ignore"], "tradekit: argument --errors: invalid choice: 'ignore'"),
        (["bazar", "random", "--jobs", "0"], "tradekit: --jobs='0': must be 1 or more"),
        (["bazar", "random", "--option", "cards"], "tradekit: --option cards: name=value is needed, such as cards=1,4"),
        (["bazar", "random", "--option", "card=1"], "tradekit: bazar has no option 'card'; there are cards, "),
        (["bazar", "random", "--option", "limit=1"], "tradekit: bazar has no option 'limit'; "),
        (["bazar", "random", "--option", "patience=x"], "tradekit: patience=x: cannot read this option; write a whole"),
        (["bazar", "random", "--option", "double=maybe"], "tradekit: double=maybe: cannot read this option; write yes"),
        (["bazar", "random", "--option", "cards=1,11"], "tradekit: there is no exchange card 11; "),
        (
            ["bazar", "random", "--file", "nowhere/games.jsonl"],
            "tradekit: nowhere/games.jsonl: No such file or directory",
        ),
        (["bazar", "random", "--file", __file__], "tradekit: test_cli.py, line 1: this is no file of a tournament"),
    ],
)
def test_what_tournament_cannot_do_is_status_2_and_one_line(capsys, arguments, line):
    refused(capsys, ["tournament", *arguments], line)


@pytest.mark.parametrize("name", ["games", "seed", "players", "errors", "seconds", "jobs", "file"])
def test_what_has_a_flag_of_its_own_is_no_option(capsys, name):
    line = f"tradekit: --option {name}=7: there is --{name} for that"
    refused(capsys, ["tournament", "bazar", "random", "--option", f"{name}=7"], line)


@pytest.mark.parametrize(
    "start",
    [
        silk.new(2, bonus=((7, 1),), zeros="stay", bribe=9, run_outs=1, patience=5),
        turin.new(2, payouts="new", goose="tie", money="secret"),
        bazar.new(2, double=True, patience=2, max_left=0),
    ],
    ids=lambda start: start.game.name,
)
def test_SI_21_TU_1_BZ_20_what_a_record_writes_of_the_rules_the_command_takes(tmp_path, start):
    file = tmp_path / "games.jsonl"
    options = [word for pair in start.rules.text().split() for word in ("--option", pair)]
    assert main(["tournament", start.game.name, "random", "--games", "1", *options, "--file", str(file)]) == 0
    assert tournament.Result.load(file).heading.start == str(start)


def test_without_pyarrow_nothing_is_played(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("tradekit.tournament.results.find_spec", lambda name: None)
    assert main([*PLAY, "--file", str(tmp_path / "games.jsonl"), "--parquet", str(tmp_path / "games.parquet")]) == 2
    assert capsys.readouterr().err == "tradekit: Parquet needs pyarrow: pip install 'tradekit[parquet]'\n"
    assert not [*tmp_path.iterdir()]


def heed_ctrl_c():
    """Let a child obey Ctrl-C: a shell that starts the tests in the background makes all children ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_what_is_done_and_the_command_that_goes_on(tmp_path, jobs):
    """In a process group of its own, all of which Ctrl-C reaches, as in a terminal."""
    command = [sys.executable, "-m", "tradekit", *PLAY, "--games", "1500", "--jobs", jobs, "--file", "games.jsonl"]
    file = tmp_path / "games.jsonl"
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )  # fmt: skip
    try:
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            if file.exists() and file.read_bytes().count(b"\n") > 20:
                os.killpg(process.pid, signal.SIGINT)
                break
            time.sleep(0.01)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == STOPPED, err
    there = tournament.Result.load(file)
    first, second = err.splitlines()
    assert first == f"tradekit: interrupted: {len(there.played)} of 1500 games are played"
    assert second.startswith("they are in games.jsonl; this goes on: tradekit tournament bazar chain random ")
    assert out == there.summary.round(3).to_string() + "\n"
    again = shlex.split(second.partition("this goes on: tradekit ")[2])
    again[again.index("1500")] = str(len(there.played) // 2 * 2 + 40)  # shortened, so that the test does not take long
    subprocess.run([sys.executable, "-m", "tradekit", *again], cwd=tmp_path, check=True, capture_output=True)
    whole = played(len(there.played) // 2 * 2 + 40)
    assert {*there.played} < {*tournament.Result.load(file).played} >= {*whole.played}


@pytest.fixture
def strange(monkeypatch):
    """A bot, registered by name, that raises an error at its third decision of a game."""
    monkeypatch.setattr(bots, "_BOTS", {**bots._BOTS, ("", "strange"): lambda: Strange("error")})


def test_a_bot_that_raises_stops_it_by_name_or_forfeits_as_asked(tmp_path, capsys, strange, monkeypatch):
    """The message has the command that goes on, which also plays a game after the lost one."""
    monkeypatch.chdir(tmp_path)
    command = ["tournament", "bazar", "random", "strange", "--games", "6", "--option", "patience=2"]
    assert main(command) == STOPPED
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("tradekit: bot 'strange' raised ArithmeticError: cannot count; move ")
    assert first.endswith("of 6 games are played") and ", in bazar, round 0, " in first
    again = shlex.split(second.partition("this goes on: tradekit ")[2])
    assert main([*again, "--errors", "forfeit"]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith("tradekit: ") and "forfeited: strange" in shown.err and "forfeits" in shown.out
    assert main([*again, "--errors", "forfeit"]) == 0, "and again"


def test_without_a_file_what_is_done_is_kept_in_a_new_one(tmp_path, monkeypatch, capsys):
    whole = played(4)
    stopped = tournament.Result(whole.heading, whole.played, "the executor broke")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tradekit.tournament.play", lambda *arguments, **options: stopped)
    (tmp_path / "tournament-1.jsonl").write_text("mine")
    assert main(PLAY) == STOPPED
    err = capsys.readouterr().err
    assert err.endswith("patience=2 --file tournament-2.jsonl\n") and "tradekit: the executor broke\n" in err
    assert tournament.Result.load("tournament-2.jsonl").played == whole.played
    assert (tmp_path / "tournament-1.jsonl").read_text() == "mine"


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
    assert opened[0][:2] == ["tradekit-notebooks", "--LabApp.default_url=/lab/tree/01_start_here.ipynb"]
    assert "--no-browser" in opened[0]


def test_lab_opens_the_first_notebook_in_the_language_of_the_texts(tmp_path, monkeypatch, spanish):
    opened = []
    monkeypatch.setattr("jupyterlab.labapp.main", opened.append)
    monkeypatch.chdir(tmp_path)
    assert main(["lab"]) == 0
    assert "--LabApp.default_url=/lab/tree/es/01_empieza_aqui.ipynb" in opened[0]
    assert (tmp_path / "tradekit-notebooks" / "es" / "01_empieza_aqui.ipynb").exists()


def test_runs_as_a_module_and_help_needs_no_numpy():
    program = (
        "import sys; sys.argv = ['tradekit', '--help']\ntry:\n import tradekit.__main__\nexcept SystemExit: pass\n"
    )
    program += "assert 'numpy' not in sys.modules"
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert "chain" in shown
    assert "lab" in shown
