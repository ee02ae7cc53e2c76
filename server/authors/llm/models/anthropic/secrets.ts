/** A text without the secrets that it may hold: services and gateways repeat keys in what they answer. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  // The longest first: one may be a part of another.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
  return known.reduce((rest, secret) => rest.replaceAll(secret, '[removed]'), text);
}
