// How full the agent's context is, in words. Pure.

export function contextWords(used: number, size: number): string {
  return `${tokenWords(used)} of ${tokenWords(size)} tokens`;
}

function tokenWords(count: number): string {
  if (count < 1000) return String(Math.round(count));
  return count < 999_500 ? `${rounded(count / 1000)}k` : `${rounded(count / 1_000_000)}M`;
}

function rounded(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}
