// Which addresses may be links. Promises: only https, http and mailto come through, written out whole; everything else is
// for showing only. The webview asks here before it draws a link and the host, which does not believe it, before it opens
// one.

const allowed = new Set(['https:', 'http:', 'mailto:']);
const longest = 8192;

export function allowedLink(address: string): string | undefined {
  // A URL parser drops tabs and newlines silently, so that "java\nscript:" would be read as something it is not.
  // oxlint-disable-next-line no-control-regex
  if (address.length > longest || /[\u0000-\u001f\u007f\\]/.test(address)) return undefined;
  if (!/^[a-z]+:/i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!allowed.has(url.protocol) || url.href.length > longest) return undefined;
  // Credentials in an address serve only to make it look like another one: https://bank.example@evil.example
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href;
}
