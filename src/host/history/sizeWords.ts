// How large something is, for people. Pure.

export function sizeWords(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  if (megabytes >= 1024) return `${(megabytes / 1024).toFixed(1)} GB`;
  return megabytes >= 1 ? `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}
