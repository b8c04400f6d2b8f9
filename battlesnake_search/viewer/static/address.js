// The turn in the page's address: #turn=57, or ?turn=57 in a link made by hand.

/** The value of a name in the address, the part after # first; null if it is in neither. */
export function inAddress(name) {
  const parts = [location.hash.slice(1), location.search.slice(1)];
  return parts.map((part) => new URLSearchParams(part).get(name)).find((value) => value !== null) ?? null;
}

/** A number in the address, else null. */
export function numberInAddress(name) {
  const value = inAddress(name);
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** Puts values into the address, without a new entry in the browser's history. They replace those of a link made by hand. */
export function updateAddress(values) {
  const query = new URLSearchParams(location.search);
  const before = query.size;
  Object.keys(values).forEach((name) => query.delete(name));
  const page = query.size === before ? "" : query.size ? `?${query}` : location.pathname;
  history.replaceState(history.state, "", `${page}#${new URLSearchParams(values)}`);
}
