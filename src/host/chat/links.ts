// Opens a link that stands in a conversation. Only the web and mail; VS Code itself shows the whole address and asks
// before it leaves for a place that the person has not trusted.

import { env, Uri } from 'vscode';

const schemes = new Set(['http', 'https', 'mailto']);

export async function openLink(address: string): Promise<void> {
  let uri: Uri;
  try {
    uri = Uri.parse(address, true);
  } catch {
    // What does not parse is no link.
    return;
  }
  if (schemes.has(uri.scheme)) await env.openExternal(uri);
}
