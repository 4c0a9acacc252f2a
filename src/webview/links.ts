// Which addresses may be links. Promises: only https, http and mailto come through, written out whole as the host
// will see them; everything else is for showing only. The host judges again before it opens anything.

const allowed = new Set(['https:', 'http:', 'mailto:']);
const longest = 8192;

export function allowedLink(address: string): string | undefined {
  // A URL parser drops tabs and newlines silently, so that "java\nscript:" would be read as something it is not.
  // oxlint-disable-next-line no-control-regex
  if (address.length > longest || /[\u0000-\u001f\u007f\\]/.test(address)) return undefined;
  if (!/^[a-z]+:/i.test(address)) return undefined;
  const url = parse(address);
  if (!url || !allowed.has(url.protocol) || url.href.length > longest) return undefined;
  // Credentials in an address serve only to make it look like another one: https://bank.example@evil.example
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href;
}

/** For a thing that is not loaded: whose it is. */
export function hostOf(address: string): string {
  const url = parse(address);
  if (!url) return '';
  return url.host === '' ? url.protocol.replace(':', '') : url.host;
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
