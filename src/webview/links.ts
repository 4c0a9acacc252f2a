// Of a thing that is not loaded: whose it is.

export function hostOf(address: string): string {
  if (!URL.canParse(address)) return '';
  const { host, protocol } = new URL(address);
  return host === '' ? protocol.replace(':', '') : host;
}
