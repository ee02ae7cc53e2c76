/** Redacts secrets from a string, because services and gateways repeat keys in responses. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  // Replaces the longest first, because one secret may be part of another.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
  return known.reduce((rest, secret) => rest.replaceAll(secret, '[removed]'), text);
}
