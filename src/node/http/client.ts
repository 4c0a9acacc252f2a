// The one HTTP client: every request of the extension goes through it. A redirect never takes a key or a conversation to
// another origin, a body and the time it takes are bounded, and no error contains the value of a header.

import { HttpError } from '../../core/httpError.ts';
import { withoutSecrets } from '../../model/withoutSecrets.ts';
import { boundedBody, type BodyLimits } from './body.ts';

export interface HttpLimits extends BodyLimits {
  /** `https`: to any host, without the headers of the request, if every address on the way is https. */
  readonly redirects: 'same-origin' | 'https';
  /** Milliseconds until the response begins. */
  readonly answerTime: number;
}

const megabyte = 1024 * 1024;
const minute = 60_000;

export const httpLimits = {
  /** What `/models` answers. */
  listing: {
    redirects: 'same-origin',
    mostBytes: 8 * megabyte,
    longestLine: null,
    answerTime: minute,
    idleTime: minute / 2,
  },
  /** Whether a model server runs on this machine. */
  localModels: { redirects: 'same-origin', mostBytes: 65_536, longestLine: null, answerTime: 5000, idleTime: 5000 },
  /** A response of a model streams for as long as it takes; a line of the stream is one event, which is parsed whole. */
  prompt: {
    redirects: 'same-origin',
    mostBytes: 128 * megabyte,
    longestLine: 16 * megabyte,
    answerTime: 5 * minute,
    idleTime: 5 * minute,
  },
  /** The list of agents. */
  registry: { redirects: 'https', mostBytes: 8 * megabyte, longestLine: null, answerTime: minute, idleTime: minute },
  /** An agent's archive. Hosts of releases redirect to their storage, which is another host. */
  archive: { redirects: 'https', mostBytes: 1024 * megabyte, longestLine: null, answerTime: minute, idleTime: minute },
} as const satisfies { readonly [use: string]: HttpLimits };

const mostRedirects = 5;
/** Of the body of a refusal, which is read whole for the few words in it. */
const mostOfRefusal = megabyte;

export type Http = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Throws HttpError for what it refuses, and otherwise what `fetch` throws. */
export function httpClient(limits: HttpLimits): Http {
  return async (input, init = {}) => {
    if (typeof input !== 'string' && !(input instanceof URL)) throw new TypeError('A request is made from a URL.');
    const values = headerValues(init.headers);
    try {
      return await request(new URL(input), init, limits);
    } catch (cause) {
      throw cleaned(cause, values);
    }
  };
}

async function request(first: URL, init: RequestInit, limits: HttpLimits): Promise<Response> {
  const { redirects } = limits;
  if (redirects === 'https') refuseInsecure(first, first);
  const stop = new AbortController();
  const signal = init.signal ? AbortSignal.any([init.signal, stop.signal]) : stop.signal;
  const tooLate = new HttpError('timeout', `${first.origin} didn’t respond in ${limits.answerTime / 1000} seconds.`);
  const timer = setTimeout(() => stop.abort(tooLate), limits.answerTime);
  try {
    let url = first;
    let own: RequestInit = { ...init, signal, redirect: 'manual' };
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const response = await fetch(url, own);
      const next = redirectOf(response, url);
      if (!next) return boundedResponse(response, url, limits, stop);
      await response.body?.cancel();
      refuseRedirect(url, next, init, response.status, redirects);
      if (next.origin !== url.origin) own = { signal, redirect: 'manual' };
      url = next;
    }
    throw new HttpError('redirected', `${first.origin} redirected the request more than ${mostRedirects} times.`);
  } catch (cause) {
    throw stop.signal.aborted && !init.signal?.aborted ? stop.signal.reason : cause;
  } finally {
    clearTimeout(timer);
  }
}

/** Where a redirect leads; null for any other response. */
function redirectOf({ type, status, headers }: Response, url: URL): URL | null {
  if (type === 'opaqueredirect') throw new HttpError('redirected', `${url.origin} redirected the request.`);
  const location = headers.get('location');
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null;
  if (!URL.canParse(location, url.href))
    throw new HttpError('redirected', `${url.origin} redirected the request to an invalid address.`);
  return new URL(location, url);
}

function refuseRedirect(
  from: URL,
  to: URL,
  { method = 'GET' }: RequestInit,
  status: number,
  redirects: HttpLimits['redirects'],
): void {
  if (redirects === 'https') refuseInsecure(to, from);
  else if (to.origin !== from.origin) {
    const words = `${from.origin} redirected the request to ${originOf(to)}. Nothing was sent there.`;
    throw new HttpError('redirected', words);
  }
  // Of these statuses only two keep the method and the body; with the others a prompt would become another request.
  const isPlain = /^(get|head)$/i.test(method);
  if (!isPlain && (to.origin !== from.origin || (status !== 307 && status !== 308)))
    throw new HttpError('redirected', `${from.origin} redirected a ${method} request with status ${status}.`);
}

function refuseInsecure(url: URL, from: URL): void {
  if (url.protocol === 'https:' && url.username === '' && url.password === '') return;
  const words =
    url === from
      ? `${originOf(url)} isn’t an https address.`
      : `${from.origin} redirected the request to ${originOf(url)}, which isn’t an https address.`;
  throw new HttpError('insecure', words);
}

/** A URL of a scheme without hosts has no origin. */
function originOf({ origin, protocol }: URL): string {
  return origin === 'null' ? protocol : origin;
}

function boundedResponse(response: Response, url: URL, limits: BodyLimits, stop: AbortController): Response {
  const { body, ok, status, statusText, headers } = response;
  if (body === null) return response;
  const own = ok ? limits : { ...limits, mostBytes: Math.min(limits.mostBytes, mostOfRefusal) };
  return new Response(boundedBody(body, url.origin, own, stop), { status, statusText, headers });
}

function headerValues(headers: RequestInit['headers']): readonly string[] {
  if (!headers) return [];
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  // A scheme such as `Bearer` stands before the value.
  return pairs.flatMap(([, value]) => (value === undefined ? [] : [String(value), String(value).replace(/^\S+ /, '')]));
}

/** `fetch` repeats a header that it refuses in its error. */
function cleaned(cause: unknown, values: readonly string[]): unknown {
  if (values.length === 0 || !(cause instanceof Error)) return cause;
  const said = chainOf(cause)
    .map(({ message, stack }) => `${message}\n${stack}`)
    .join('\n');
  if (withoutSecrets(said, values) === said) return cause;
  return new HttpError('invalid-request', `The request couldn’t be made: ${withoutSecrets(cause.message, values)}`);
}

function chainOf(cause: Error): readonly Error[] {
  return [cause, ...(cause.cause instanceof Error ? chainOf(cause.cause) : [])];
}
