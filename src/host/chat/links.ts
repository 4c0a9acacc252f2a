// Opens a link that stands in a conversation. Only the web and mail; VS Code itself shows the whole address and asks
// before it leaves for a place that the person has not trusted.

import { env, Uri } from 'vscode';
import { allowedLink } from '../../model/links.ts';

export async function openLink(address: string): Promise<void> {
  const url = allowedLink(address);
  if (url !== undefined) await env.openExternal(Uri.parse(url, true));
}
