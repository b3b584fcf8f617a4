"""Samples of everything that is drawn, for `looks.py` and for tests: each page returns its markup and its sheet."""

from markupsafe import Markup

from tradekit import turin
from tradekit.bazar import icons as bazar
from tradekit.show import components as c
from tradekit.show import icons
from tradekit.show.html import element
from tradekit.show.icons import icon
from tradekit.silk import icons as silk
from tradekit.silk.cards import GOODS
from tradekit.turin import icons as turin_icons

YOU, TEO, AMINA = ((n, name) for n, name in enumerate(("You", "Teo", "Amina")))


def tools():
    """The tools of a table's header."""
    items = [
        c.button(name, "", icon(name), " ", text)
        for name, text in {
            "review": "Review this game",
            "rules": "Rules",
            "new": "New game",
            "seats": "Seats and bots",
            "save": "Save as a file",
            "open": "Open a saved game",
        }.items()
    ]
    return (
        c.button("undo", "", icon("undo"), c.word("Undo"), kind="plain"),
        c.button("hint", "", icon("hint"), " Hint", pressed=True),
        c.menu("Menu", items),
    )


def moved(player, *words):
    """A move in the news or the log."""
    return Markup("{} <b>{}</b> {}").format(c.seat(*player), player[1], Markup(" ").join(words))


def hint():
    """The hint's panel."""
    rows = [
        c.Bar(Markup("{}→{}").format(bazar.stones("BG", size=19), bazar.stones("W", size=19)), 1, "best", best=True),
        c.Bar("Roll the die", 0.63, "costs 2.0"),
        c.Bar(Markup("{}→{}").format(bazar.stones("WW", size=19), bazar.stones("R", size=19)), 0.58, "costs 2.3"),
    ]
    end = c.button("act", "W=BG", "Do it", label="Do it: make the recommended trade")
    return c.panel(c.heading("Hint", picture=icon("hint"), end=end), c.bars(rows), class_="tk-advice")


def components():
    """Every component in every state."""
    short = "You are short of a white stone."
    buttons = [
        c.button("a", 1, "Undo"),
        c.button("a", 2, "Buy for 5", kind="go"),
        c.button("a", 3, "Plain", kind="plain"),
        c.button("a", 4, "Bid 4", kind="go big"),
        c.button("a", 5, "Decline", kind="big"),
        c.button("a", 6, "Hint", pressed=True),
        c.button("a", 7, "silk", pressed=False),
        c.not_now("Buy", why=short, key="a8"),
        c.not_now("Barter", why=short, key="a9", kind="big", class_="tk-why"),
    ]
    seats = [c.seat(n, name) for n, name in enumerate(("You", "Teo", "Amina", "Bruno", "Greta", "Paolo"))]
    marks = [
        c.chip(icon("clock"), "Hordes: 4 big sales away"),
        c.chip(Markup("<b>7</b> first, with no coin")),
        c.badge("Hint"),
        c.badge("new", "fresh"),
        c.badge("possible", "act"),
    ]
    actions = [
        c.action("open", "sell", icon("play"), "Sell", "three goods wanted", opened=True, panel="p1"),
        c.action("open", "trade", icon("swap"), "Trade", "with Vera or Nils", opened=False, panel="p2"),
    ]
    drawn = [
        Markup(
            '<div style="width: 76px; text-align: center"><span style="font-size: 26px">{}</span><br><small>{}'
            "</small></div>"
        ).format(icon(name), name)
        for name in icons.ICONS
    ]
    talk = [
        c.bubble(c.seat(1, "Vera"), "“I give you three cards. There is silk among them, and they make 10 in all.”"),
        c.bubble(
            c.seat(0, "You"),
            "“I give you two cards. There is silk among them, and they make 8 in all.”",
            element(
                "div",
                c.button("b", 1, "Answer with silk 5 and ivory 3", kind="go big"),
                c.button("b", 2, "Decline", kind="big"),
                class_="tk-line",
            ),
            mine=True,
        ),
    ]
    log = c.log(
        c.heading("So far", end=Markup('<a href="#all">all 110 moves</a>')),
        [
            moved(
                YOU,
                "traded",
                bazar.stones("W", size=17),
                "for",
                bazar.stones("GGG", size=17),
                Markup("<code>W=GGG</code>"),
            ),
            moved(AMINA, "rolled yellow"),
        ],
    )

    def in_line(*parts):
        return element("div", *parts, class_="tk-line", style="margin: 0 12px 12px")

    steps = element("div", c.steps([4, 3, 2, 1, 0], "4 now, then 3, 2, 1, 0"), class_="tk-w2", style="width: 90px")
    parts = (
        in_line(*buttons),
        in_line(*seats, *marks),
        in_line(*drawn),
        element(
            "div",
            hint(),
            element("div", *actions, class_="tk-choose"),
            c.panel("", "What selling brings.", id="p1"),
            log,
            steps,
            *talk,
            class_="tk-board",
            style="display: grid; gap: 12px; padding: 12px",
        ),
    )
    head = c.header(bazar.logo(), "Components", "round 27", *tools())
    said = c.sentence(
        "Your turn: roll the die or make one trade.",
        badge=c.seat(*YOU),
        label="Since your last turn",
        news=[moved(AMINA, "traded", bazar.stones("WY", size=20), "for", bazar.stones("RG", size=20, fresh=(0, 1)))],
    )
    return c.page(head, said, *parts), bazar.sheet()


def goods_card(units):
    """A goods card of Turin Market."""
    deck = turin.Deck.house()
    lines = [
        element("li", element("span", *[turin_icons.good(deck, good)] * n), f"{n} {deck.goods[good].name}")
        for n, good in zip((3, 2, 1), units, strict=True)
    ]
    return element("ul", *lines, class_="tk-gcard")


def mini_card(units):
    """A goods card in one line."""
    deck = turin.Deck.house()
    cells = [element("span", str(n), turin_icons.good(deck, good)) for n, good in zip((3, 2, 1), units, strict=True)]
    return element("span", *cells, class_="tk-mini", role="img", aria_label="a goods card")


def turin_market():
    """Turin Market's pieces."""
    deck = turin.Deck.house()
    players = ("You", "Greta", "Paolo", "Bruno")
    held = [
        (0, 2, 2, 0),
        (1, 1, 0, 0),
        (1, 3, 1, 2),
        (3, 3, 3, 0),
        (3, 0, 0, 0),
        (0, 6, 3, 0),
        (2, 1, 5, 3),
        (3, 2, 1, 0),
        (5, 0, 3, 1),
    ]

    def cell(n, counts):
        most = counts[n] == max(counts) > 0
        kind = ("tied" if counts.count(counts[n]) > 1 else "alone") if most else ""
        return c.majority(counts[n], n, kind, came=2 if n == 0 and counts[n] > 1 else 0)

    rows = [
        element(
            "tr",
            element("th", turin_icons.good(deck, g), deck.goods[g].name, scope="row"),
            element("td", str(deck.goods[g].classic), class_="tk-pays"),
            *(cell(n, counts) for n in range(4)),
        )
        for g, counts in enumerate(held)
    ]
    heads = [
        element("th", c.seat(n, name), element("span", icon("coin"), str(9 - n), class_="tk-coins"), scope="col")
        for n, name in enumerate(players)
    ]
    table = element(
        "table",
        element("thead", element("tr", element("th", "Good"), element("th", "pays", class_="tk-pays"), *heads)),
        element("tbody", *rows),
        class_="tk-major tk-came",
    )
    legend = c.legend(("full", "has the most"), ("ring", "shares the most"))
    bids = [
        c.Bid(
            "1st",
            c.seat(0, "You"),
            "You",
            6,
            1,
            7,
            "you pay 7",
            "won the coin: two cards",
            mini_card((8, 6, 1)) + mini_card((3, 8, 4)),
            "bid 6, added 1",
            mine=True,
        ),
        c.Bid(
            "2nd",
            c.seat(3, "Bruno"),
            "Bruno",
            6,
            1,
            7,
            "pays 7",
            "lost the coin: one card",
            mini_card((6, 2, 8)),
            "bid 6, added 1",
        ),
        c.Bid(
            "3rd", c.seat(2, "Paolo"), "Paolo", 3, 0, 3, "pays 3", "wins the last card", mini_card((3, 5, 7)), "bid 3"
        ),
        c.Bid(
            "4th",
            c.seat(1, "Greta"),
            "Greta",
            2,
            0,
            1,
            "pays 1",
            "lost: half of 2",
            Markup("<small>no card</small>"),
            "bid 2, half paid",
            lost=True,
        ),
    ]
    tie = c.just_now(
        Markup('<span class="tk-flip" aria-hidden="true">Y</span><span><b>A tie at 6.</b> A coin decided: you.</span>')
    )
    amounts = [
        Markup(
            '<label class="tk-amount{}">{}<i class="tk-col{}" style="--v: {}px"></i>'
            '<input type="radio" name="bid" value="{}"{}><span>{}</span></label>'
        ).format(
            " tk-best" * (n == 4),
            c.badge("Hint") if n == 4 else "",
            " tk-minus" * (n > 7),
            20 + n,
            n,
            Markup(" checked") if n == 4 else "",
            n,
        )
        for n in range(10)
    ]
    lots = [
        element("li", element("p", c.seat(n, name), f"from {name}", class_="tk-from"), goods_card(units))
        for n, (name, units) in enumerate(zip(players, ((8, 6, 1), (3, 8, 4), (6, 2, 8), (3, 5, 7)), strict=True))
    ]
    places = Markup(
        '<ol class="tk-places"><li><b>1st</b>2 cards, pays all</li><li><b>2nd</b>1 card, pays all</li><li><b>3rd</b>'
        '1 card, pays all</li><li class="tk-none"><b>4th</b>no card, pays half</li></ol>'
    )
    bidding = c.panel(
        c.heading("Your bid", note="you have 9 escudos"),
        element("div", *amounts, class_="tk-strip", role="radiogroup"),
        c.button("act", "bid 4", icon("seal"), " Bid 4", kind="go"),
        Markup(
            '<div class="tk-outcome"><span>Among the first three: <b>pay 4</b></span><label class="tk-tick tk-end">'
            '<input type="checkbox">{} Take a loan</label></div>'
        ).format(icon("loan")),
        class_="tk-bidbox",
    )
    block = element(
        "div",
        tie,
        c.reveal(bids, label="The bids"),
        c.heading("On the block"),
        element("ul", *lots, class_="tk-lots"),
        places,
        class_="tk-block",
    )
    hand = element(
        "section",
        c.heading("Your hand"),
        element("div", goods_card((0, 1, 4)), goods_card((7, 8, 5)), class_="tk-cards"),
        class_="tk-hand",
    )
    drawn = [c.chip(icon(name), name) for name in turin_icons.ICONS] + [
        Markup('<b class="tk-letters tk-good3">Sa</b> saffron')
    ]
    log = element("section", element("div", *drawn, class_="tk-line"), class_="tk-log")
    board = element(
        "div",
        block,
        bidding,
        c.panel(c.heading("Who has most"), table, legend, class_="tk-majorities"),
        hand,
        log,
        class_="tk-board",
    )
    head = c.header(turin_icons.logo(), "Turin Market", "auction 3 of 5", *tools())
    news = [moved((2, "Paolo"), icon("seal"), "sealed"), moved((1, "Greta"), icon("clock"), "is thinking")]
    said = c.sentence("The coin is yours: you take two cards and pay 7.", badge=c.seat(*YOU), news=news)
    return c.page(head, said, board, kind="tk-turin"), turin_icons.sheet()


def stall(number, ware, missing, under, now=None, star=False, buy=False):
    """A stall of Bazar."""
    points = (8, 5, 3, 2) if star else (5, 3, 2, 1)
    worth = [
        element("li", str(p), element("small", left), class_="tk-now" if at == now else None)
        for at, (p, left) in enumerate(zip(points, ("0", "1", "2", "3+"), strict=True))
    ]
    foot = (
        c.button("act", f"buy {number}", "Buy for 5", kind="go", class_="tk-buy")
        if buy
        else element("ol", *worth, class_="tk-worth")
    )
    return element(
        "li",
        c.awning(),
        element(
            "p",
            element("b", str(number)),
            element("span", "★", class_="tk-stars") if star else "",
            element("span", "2 below"),
            class_="tk-head-line",
        ),
        element("div", bazar.stones(ware), class_="tk-offer"),
        element("p", bazar.stones(missing, missing=True) if missing else ""),
        element("p", under, class_="tk-under"),
        foot,
        class_="tk-stall tk-near" if now is not None else "tk-stall",
    )


def equation(left, right, lit="", hint="", just=""):
    """An equation of Bazar, each side a button."""

    def side(stones, other, on, advised):
        say = f"Give {bazar.spoken(stones)}, take {bazar.spoken(other)}"
        if not on:
            return element(
                "button",
                bazar.stones(stones),
                type="button",
                class_="tk-side",
                aria_disabled="true",
                aria_label=say,
                data_why="You are short of a red stone.",
            )
        return element(
            "button",
            bazar.stones(stones),
            icon("arrow"),
            c.badge("Hint") if advised else "",
            type="button",
            class_="tk-side tk-lit tk-hint" if advised else "tk-side tk-lit",
            aria_label=say,
        )

    used = element("span", c.seat(*TEO), class_="tk-used") if just else ""
    return element(
        "li",
        side(left, right, "l" in lit, "l" in hint),
        element("span", "=", class_="tk-is", aria_hidden="true"),
        side(right, left, "r" in lit, "r" in hint),
        used,
        class_="tk-eq tk-just" if just else "tk-eq",
    )


def bazar_table():
    """Bazar's pieces."""
    equations = [
        equation("R", "WBGY"),
        equation("R", "WW", "r"),
        equation("W", "GGG", "lr"),
        equation("Y", "WBGG", "r"),
        equation("W", "BG", "lr", "r", "t"),
        equation("RG", "WY", just="t"),
    ]
    bank = [
        element("li", bazar.stones(colour), str(n)) for colour, n in zip("RWBGY", (19, 16, 19, 13, 19), strict=True)
    ]
    exchange = element(
        "section",
        c.heading("Equations", note="tap the side that you give"),
        element("ul", *equations),
        element("ul", element("li", "Bank"), *bank, class_="tk-bank"),
        class_="tk-exchange",
    )
    stalls = element(
        "section",
        c.heading("Stalls", note="dashed: missing"),
        element(
            "ul",
            stall(1, "WWWGG", "W", "one trade away", 0),
            stall(2, "RRRWG", "RRR", "6 turns away"),
            stall(3, "RRRRR", "RRRRR", "10 turns away", star=True),
            stall(4, "RRRWW", "", "you have it", buy=True),
        ),
        class_="tk-stalls",
    )
    tray = c.panel(
        "",
        element(
            "div",
            c.heading(
                "Your stones",
                note=Markup('6 of 10 <span class="tk-room">{}{}</span>').format(
                    Markup('<i class="tk-on"></i>') * 6, Markup("<i></i>") * 4
                ),
            ),
            bazar.stones("WWBGGG", fresh=[4]),
            class_="tk-mine",
        ),
        c.button("act", "roll", bazar.die(), element("span", "Roll the die"), kind="go big", class_="tk-roll"),
        class_="tk-tray",
    )
    far = Markup("<b>1 trade</b> from stall 1, 2 points")
    people = [
        c.player(n, name, str(15 - n), bazar.stones("WWGY"), far, about="bot, strong", me=n == 0)
        for n, name in (YOU, TEO, AMINA)
    ]
    log = c.log(
        c.heading("So far", end=Markup('<a href="#a">all 110 moves</a>')),
        [
            moved(YOU, "traded", bazar.stones("W", size=17), "for", bazar.stones("GGG", size=17)),
            moved(TEO, "rolled yellow"),
        ],
    )
    sizes = [bazar.stones("RWBGY", size=n) for n in (46, 24, 20, 14, 13, 10)] + [
        bazar.stones("RWBGY", size=n, missing=True) for n in (30, 18, 12)
    ]
    board = element(
        "div",
        exchange,
        stalls,
        tray,
        c.panel("", element("ul", *people), class_="tk-players"),
        hint(),
        log,
        class_="tk-board",
    )
    head = c.header(bazar.logo(), "Bazar", "round 27", *tools())
    news = [moved(AMINA, "traded", bazar.stones("WY", size=20), "for", bazar.stones("RG", size=20, fresh=(0, 1)))]
    said = c.sentence("Your turn: roll the die or make one trade.", badge=c.seat(*YOU), news=news)
    return c.page(
        head, said, board, element("div", *sizes, class_="tk-line", style="padding: 12px"), kind="tk-bazar"
    ), bazar.sheet()


def silk_card(good, value, chosen=None):
    """A card of The Silk Road; a button if it can be chosen."""
    inner = (icon(GOODS[good]), element("b", str(value)), element("span", GOODS[good]))
    name = f"{GOODS[good]} {value}"
    if chosen is None:
        return element("span", *inner, class_=f"tk-vcard {silk.ground(good)}", role="img", aria_label=name)
    return element(
        "button",
        *inner,
        type="button",
        class_=f"tk-vcard {silk.ground(good)}",
        aria_pressed=str(chosen).lower(),
        aria_label=name,
    )


def silk_road():
    """The Silk Road's pieces."""
    market = (
        (1, 43210, "no", "you have no tea"),
        (2, 32104, "yes", "sell 3 for 4"),
        (4, 21043, "best", "sell 2 for 3"),
        (0, 10432, "yes", "sell 1 for 1"),
        (3, 4321, "shut", "blocked"),
    )
    stalls = [
        element(
            "li",
            c.awning(),
            element("p", silk.tile(good), element("b", GOODS[good]), class_="tk-what"),
            element(
                "div",
                element("strong", f"{pile:05}"[0]),
                element("small", "cards wanted"),
                c.steps([int(n) for n in f"{pile:05}"], "demand"),
                class_="tk-demand",
            ),
            element("p", c.badge("Hint") if kind == "best" else "", note, class_="tk-note"),
            class_=f"tk-mstall {silk.ground(good)} tk-{kind}",
        )
        for good, pile, kind, note in market
    ]
    hand = [
        silk_card(0, 5, False),
        *(silk_card(2, n, False) for n in (1, 3, 5)),
        silk_card(3, 3, False),
        silk_card(4, 4, True),
        silk_card(4, 7, True),
    ]
    acts = [
        c.action("open", name, icon(picture), verb, price, opened=name == "sell", panel=f"p-{name}")
        for name, picture, verb, price in (
            ("sell", "sell", "Sell", "three goods wanted"),
            ("trade", "swap", "Trade", "with Vera or Nils"),
            ("barter", "pile", "Barter", "one card for one"),
            ("bribe", "bribe", "Bribe", "7 of a colour"),
            ("audience", "vizier", "Audience", "two safeguards"),
        )
    ]
    deal = c.panel(
        "",
        Markup(
            '<div><p class="tk-sums">Spices 4 and 7: 2 for the cards, 1 for a sum of 11. <b>3 dinars</b></p><p>'
            '<small>The market is then</small> <span class="tk-thenrow">{}<b>4</b>{}<b>3</b></span></p></div>'
        ).format(silk.tile(1), silk.tile(2)),
        c.button("act", "sell", "Sell for 3 dinars", kind="go big"),
        class_="tk-deal",
        id="p-sell",
    )
    rows = [
        c.Bar("Sell spices", 1, "best", best=True),
        c.Bar("Sell cloth", 0.8, "costs 0.3"),
        c.Bar("Barter", 0.27, "costs 1.2"),
    ]
    drawn = [c.chip(icon(name), name) for name in silk.ICONS]
    side = element(
        "aside",
        c.panel(c.heading("Hint", picture=icon("hint"), end="in dinars"), c.bars(rows), class_="tk-advice"),
        element("div", *drawn, class_="tk-line"),
        class_="tk-side-column",
    )
    backs = Markup('<span class="tk-vback"></span>') * 3
    board = element(
        "div",
        element("section", c.heading("The market"), element("ol", *stalls, class_="tk-market-row"), class_="tk-market"),
        element(
            "section",
            c.heading("Your hand", note="7 cards; tap to choose", end=c.button("act", "pass", "Pass")),
            element("div", *hand, class_="tk-fan"),
            class_="tk-myhand",
        ),
        element("section", element("div", *acts, class_="tk-choose"), deal, class_="tk-acts"),
        side,
        class_="tk-board",
    )
    said = c.bubble(
        c.seat(1, "Vera"),
        "“I give you three cards. There is silk among them, and they make 10 in all.”",
        element("div", backs, class_="tk-line"),
    )
    mine = c.bubble(
        c.seat(0, "You"),
        "“I give you two cards.”",
        element("div", silk_card(0, 5, True), silk_card(4, 1), class_="tk-fan"),
        mine=True,
    )
    head = c.header(silk.logo(), "The Silk Road", "26 cards to draw, then once more", *tools())
    words = c.sentence(
        "Your turn: you drew spices 7. Choose one thing to do.",
        badge=c.seat(*YOU),
        news=[moved(TEO, icon("swap"), "swapped three cards for two")],
    )
    return c.page(head, words, board, element("div", said, mine, class_="tk-talk"), kind="tk-silk"), silk.sheet()


def end():
    """The end of a game."""
    wares = [element("i", str(n), class_=f"tk-p{p + 1}", style=f"--n: {n}") for p in (0,) for n in (5, 3, 2, 5, 3, 5)]
    scores = [
        Markup(
            '<li>{}<b>{}</b><span class="tk-wares" style="--most: 31">{}</span><span class="tk-total">31 {}</span></li>'
        ).format(c.seat(*YOU), "You", Markup("").join(wares), icon("crown"))
    ]
    words = Markup("You rolled the die. {} for {} would have bought {} at once.").format(
        bazar.stones("BG", size=19), bazar.stones("W", size=19), bazar.stones("WWWGG", size=19)
    )
    costly = [
        c.decision(n, words, "round 13", "−2.1", c.button("at", n, icon("play"), " Play from here")) for n in (1, 2, 3)
    ]
    buttons = [
        c.button("rematch", "", icon("swap"), " Rematch, Teo begins", kind="go big"),
        c.button("review", "", icon("review"), " Review", kind="big"),
        c.button("new", "", icon("new"), " New game", kind="big"),
        c.button("save", "", icon("save"), " Save", kind="big"),
    ]
    winner = c.winner("You win, 31 to 26.", "36 rounds, 18 wares.", *buttons)
    board = element(
        "div",
        c.panel(c.heading("Points", note="ware by ware"), element("ol", *scores), class_="tk-scores"),
        c.panel(
            c.heading("Your three most expensive decisions", end="points that they cost"),
            element("ol", *costly),
            class_="tk-costly",
        ),
        class_="tk-board",
    )
    return c.page(
        c.header(bazar.logo(), "Bazar", "the bazaar is closed", *tools()), winner, board, kind="tk-over"
    ), bazar.sheet()


PAGES = {"components": components, "bazar": bazar_table, "turin": turin_market, "silk": silk_road, "end": end}
