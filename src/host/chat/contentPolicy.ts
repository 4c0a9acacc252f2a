// What the page of a chat webview may load: its own script and style, and pictures that come as bytes from the host.
// Everything else is refused by the browser: other scripts, remote images, connections, and HTML made from strings
// (Trusted Types without a policy).

/** The value of the page's `Content-Security-Policy`; `ownFiles` is the source of the extension's files in a webview. */
export function contentPolicy(nonce: string, ownFiles: string): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${ownFiles}`,
    `img-src data: blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}
