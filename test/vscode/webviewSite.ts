// Gives webviews a process of their own. The desktop does so always; the VS Code server as it is here serves them from the
// workbench's own origin, where a slow panel slows everything. Three files of VS Code's are served once more, under
// `<hash>.vscode.localhost` on another port, and the page of the workbench, under `workbench.vscode.localhost`, is told so
// as it passes. One site, because a browser lets no other one have the service worker that a webview needs; and a process
// for each of its names, because chromium.ts asks for that.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { vscodeServer } from './fetch.ts';
import type { Server } from './server.ts';

const names = ['index.html', 'service-worker.js', 'fake.html'];
const types: { readonly [ending: string]: string } = { '.html': 'text/html', '.js': 'text/javascript' };

/** chromium.ts has it as well. */
const site = 'vscode.localhost';

export interface WebviewSite {
  /** Where the workbench is to be opened instead. */
  readonly authority: string;
  close(): void;
}

/** Where the workbench is opened then. */
export function authorityApart(server: Pick<Server, 'authority'>): string {
  return `workbench.${site}:${server.authority.split(':')[1]}`;
}

export async function serveWebviewsApart(context: BrowserContext, server: Server): Promise<WebviewSite> {
  const folder = join(await vscodeServer(), 'out', 'vs', 'workbench', 'contrib', 'webview', 'browser', 'pre');
  const files = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1);
    if (!names.includes(name)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' });
    response.end(readFileSync(join(folder, name)));
  });
  await new Promise<void>(resolve => files.listen(0, '127.0.0.1', resolve));
  const { port } = files.address() as AddressInfo;
  // A page that was changed on its way counts as one from outside, which may not reach this machine without being asked.
  await context.grantPermissions(['local-network-access']);
  const template = `http://{{uuid}}.${site}:${port}/`;
  const authority = authorityApart(server);
  let key = '';
  await context.route(
    url => url.host === authority && url.pathname === '/',
    async route => {
      // The address with the key is answered by a redirect, which nobody could change on its way.
      const address = new URL(route.request().url());
      const token = address.searchParams.get('tkn');
      address.searchParams.delete('tkn');
      if (token) key = token;
      await context.addCookies([{ name: 'vscode-tkn', value: key, url: `http://${authority}` }]);
      // This process does not know the name; the browser does.
      const headers = { ...route.request().headers(), host: authority };
      address.host = server.authority;
      const response = await route.fetch({ url: address.href, headers: { ...headers, cookie: `vscode-tkn=${key}` } });
      const { 'content-security-policy': policy = '', 'set-cookie': _, ...answered } = response.headers();
      await route.fulfill({
        response,
        headers: {
          ...answered,
          'content-security-policy': policy.replace('frame-src ', `frame-src http://*.${site}:${port} `),
        },
        body: (await response.text())
          .replace(/&quot;webviewEndpoint&quot;:&quot;[^&]*&quot;,/, '')
          .replace(
            /&quot;productConfiguration&quot;:\{/,
            `$&&quot;webviewContentExternalBaseUrlTemplate&quot;:&quot;${template}&quot;,`,
          ),
      });
    },
  );
  return { authority, close: () => void files.close() };
}
