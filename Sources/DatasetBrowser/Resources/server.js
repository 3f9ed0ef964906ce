// Requests to the page's own server, and what it means if they fail.

export class ServerError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export const server = {
  /** "ok", "gone" (no answer), "refused" (another token), "replaced" (another feature file). */
  state: "ok",
  generation: null,
  listeners: [],
  become(state) {
    if (this.state === state || (this.state === "replaced" && state === "ok")) { return; }
    this.state = state;
    this.listeners.forEach((listener) => listener(state));
  },
};

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError" || error.name === "TimeoutError") { throw error; }
    server.become("gone");
    throw new ServerError("The server does not answer.", 0);
  }
  if (response.ok) {
    server.become("ok");
    return response;
  }
  let message = `The server answered ${response.status}.`;
  try { message = (await response.json()).error || message; } catch { /* not JSON: the number says enough */ }
  if (response.status === 410) { server.become("replaced"); }
  if (response.status === 403) { server.become("refused"); }
  throw new ServerError(message, response.status);
}

export async function json(path, options) {
  const response = await request(path, options);
  const result = await response.json();
  const later = Number(response.headers.get("Retry-After"));
  return later > 0 ? Object.assign(result, { later }) : result;
}

export function post(path, body) {
  return json(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** An array of float32, and the numbers of the answer's headers by name. */
export async function floats(path, signal) {
  const response = await request(path, { signal });
  const values = new Float32Array(await response.arrayBuffer());
  const number = (name) => Number(response.headers.get(name) ?? NaN);
  return { values, number };
}

export async function bytes(path, signal) {
  const response = await request(path, { signal });
  return { data: await response.arrayBuffer(), firstTime: Number(response.headers.get("X-First-Time") ?? 0) };
}

/** Another generation than that of the page: what the server has is not what the page shows. */
export async function askState() {
  const state = await json("/api/state", { signal: AbortSignal.timeout(15000) });
  if (server.generation !== null && state.generation !== server.generation) { server.become("replaced"); }
  return state;
}

/** Asks for the server's state every 5 s, and when the tab becomes visible. failed(sentence): why it has none; "" when it has again. */
export function watch(told, failed) {
  let asking = false;
  const ask = async () => {
    if (asking) { return; }
    asking = true;
    try {
      const state = await askState();
      if (server.state !== "replaced") { await told(state); }
      failed("");
    } catch (error) {
      if (error.status >= 500) { failed(error.message); }
      if (error.name === "TimeoutError" || error.name === "AbortError") { server.become("gone"); }
    }
    asking = false;
  };
  setInterval(ask, 5000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) { ask(); } });
  return ask;
}
