// Real HTTP and HTTPS servers on loopback, each an origin of its own, that keep what they were asked.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { TestContext } from 'node:test';

export interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Loopback {
  readonly origin: string;
  readonly heard: readonly Heard[];
}

/** Closed when the test is over. */
export function loopback(t: TestContext, answer: RequestListener): Promise<Loopback> {
  const heard: Heard[] = [];
  return listening(t, createServer(keeping(heard, answer)), 'http', heard);
}

/** The certificate is trusted by this process only. It needs the program `openssl`. */
export function secureLoopback(t: TestContext, answer: RequestListener): Promise<Loopback> {
  const heard: Heard[] = [];
  const { key, cert } = certificate();
  return listening(t, createSecureServer({ key, cert }, keeping(heard, answer)), 'https', heard);
}

async function listening(t: TestContext, server: Server, scheme: string, heard: readonly Heard[]): Promise<Loopback> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

function keeping(heard: Heard[], answer: RequestListener): RequestListener {
  return (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      heard.push({ method, url, headers, body: Buffer.concat(parts).toString('utf8') });
      answer(request, response);
    });
  };
}

let made: { readonly key: Buffer; readonly cert: Buffer } | null = null;

function certificate() {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'throughline-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=loopback', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
    execFileSync('openssl', [...args, ...subject], { stdio: 'pipe' });
    made = { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  setDefaultCACertificates([...getCACertificates('default'), made.cert.toString('utf8')]);
  return made;
}
