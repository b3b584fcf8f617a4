// Whether somebody answers a page: it is live, waiting or disconnected. This part knows no transport and no document.
//
// A click is sent with the number of the moment that the page shows, and no other click goes out before it is answered,
// unless every click counts on this page (`every`): there each one adds to what the others have done.
// Once a page is disconnected, only an answer makes it live again: so it asks for one as long as it may be heard.
//
// The transport: deliver(message) hands a message over and throws where that cannot be; heard() says whether a message
// can arrive at all; busy() whether what should answer is known to be at work; patience(), in milliseconds, how long an
// answer may take otherwise. changed() is called when `state` has changed.

const WAIT = 150; // ms after which a click that is not answered yet shows
const PING = 2000; // ms between two questions whether anybody is there

function connection({ deliver, heard, busy, patience, changed, every = false, now = () => performance.now() }) {
  const name = Math.random().toString(36).slice(2, 8); // several views of one page are told apart by it
  let sent = 0; // how many messages
  let click = null; // the last one that waits for its answer: { n, at }, `at` since when there has been any
  let asked = null; // since when no answer has come though one is due
  let pinged = -Infinity;
  let lost = false; // there is nobody any more whom a message could reach
  const it = { state: "live" };

  const become = (state) => {
    if (it.state === state) return;
    it.state = state;
    changed();
  };

  const hand = (message) => {
    sent += 1;
    asked ??= now();
    try {
      deliver({ ...message, id: `${name}-${sent}` });
    } catch {
      lost = true;
      become("disconnected");
    }
  };

  const ping = () => {
    pinged = now();
    hand({});
  };

  // What a person did to a field: it goes out at once, in its order.
  it.tell = (message) => {
    if (it.state !== "disconnected") hand(message);
  };

  // A click; whether it goes out.
  it.click = (message) => {
    if ((click && !every) || it.state === "disconnected") return false;
    click = { n: sent + 1, at: click?.at ?? now() };
    hand({ ...message, click: true });
    it.look();
    return true;
  };

  // An answer has come: messages are answered in their order, so those before it are, too.
  it.answered = (id) => {
    const [page, n] = String(id).split("-");
    if (page !== name) return;
    if (click && click.n <= Number(n)) click = null;
    asked = Number(n) === sent ? null : now();
    if (!lost && heard()) become(click ? "waiting" : "live");
  };

  // How it is now: to be called now and then, and whenever the transport notices something.
  it.look = () => {
    if (asked !== null && busy()) asked = now();
    const reachable = !lost && heard();
    const silent = asked !== null && now() - asked > patience();
    if (!reachable || silent) become("disconnected");
    else if (it.state !== "disconnected") become(click && now() - click.at >= WAIT ? "waiting" : "live");
    if (click && it.state === "live") setTimeout(it.look, WAIT);
    if (it.state === "disconnected" && reachable && now() - pinged > PING) ping();
  };

  // Something has happened after which it is not sure that anybody is there.
  it.doubt = () => {
    if (!lost && heard()) ping();
    it.look();
  };

  return it;
}
