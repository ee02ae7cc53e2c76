/** Redacts secrets from a text, because services and gateways repeat keys in responses. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  // Longest first, because one may be part of another.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
  return known.reduce((rest, secret) => rest.replaceAll(secret, '[removed]'), text);
}
