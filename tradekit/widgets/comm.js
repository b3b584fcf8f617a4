// The transport of a page in Jupyter: messages over the widget's comm, and what can be seen of the kernel from here.

const GONE = new Set(["dead", "restarting", "autorestarting", "terminating"]);

// JupyterLab, Notebook and Voila let widgets see their kernel; elsewhere only the answers tell whether there is one.
function render({ model, el }) {
  const kernelNow = () => model.widget_manager?.kernel ?? null;
  const kernel = kernelNow();
  let ended = false; // the kernel that this page belongs to: a new one in its place knows nothing of it
  const look = () => {
    ended ||= kernelNow() !== kernel || Boolean(kernel?.isDisposed) || GONE.has(kernel?.status);
    page.link.look();
  };
  const reconnected = (_kernel, status) => (status === "connected" ? page.link.doubt() : look());
  const doubt = () => document.hidden || page.link.doubt();

  const page = showPage({
    el,
    get: (name) => model.get(name),
    transport: {
      deliver: (message) => model.send(message),
      heard: () =>
        !ended &&
        !el.classList.contains("jupyter-widgets-disconnected") && // the manager's word: its comm is gone, or never was
        (kernel?.connectionStatus ?? "connected") === "connected",
      busy: () => kernel?.status === "busy",
      patience: () => (kernel ? 4000 : 20000),
    },
  });

  const updated = () => page.update();
  model.on("change", updated);
  model.on("comm_live_update", look);
  kernel?.statusChanged?.connect(look);
  kernel?.connectionStatusChanged?.connect(reconnected);
  document.addEventListener("visibilitychange", doubt);
  window.addEventListener("online", doubt);
  const looking = setInterval(look, 500);
  page.link.doubt();
  return () => {
    clearInterval(looking);
    model.off("change", updated);
    model.off("comm_live_update", look);
    kernel?.statusChanged?.disconnect(look);
    kernel?.connectionStatusChanged?.disconnect(reconnected);
    document.removeEventListener("visibilitychange", doubt);
    window.removeEventListener("online", doubt);
    page.close();
  };
}

export default { render };
