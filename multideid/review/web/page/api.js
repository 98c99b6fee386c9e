// Requests to the server that the page came from; there is no other.

const KEY = "multideid-token";

/** Takes the token out of the address, where it would stay on the screen. */
export function takeToken() {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function send(path, options = {}) {
  const headers = { authorization: `Bearer ${sessionStorage.getItem(KEY)}` };
  if (options.body) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch {
    throw new Refused(0, "multideid review has ended. Start it again, and open the new address.");
  }
  const content = await response.json();
  if (!response.ok) throw new Refused(response.status, content.error ?? content.detail);
  return content;
}

export const get = (path) => send(path);
export const post = (path, content) =>
  send(path, { method: "POST", body: JSON.stringify(content) });
