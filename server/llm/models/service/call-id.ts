/**
 * Returns an id for a call, which is used from then on. Some servers omit or reuse ids, but approvals and results are looked up by
 * them. Anthropic's, which are globally unique, stay unchanged, so that thinking stays bound to them.
 */
export function callId(given: string, usedIds: Set<string>): string {
  const isUnique = /^toolu_[A-Za-z0-9]{16,}$/.test(given) && !usedIds.has(given);
  const id = isUnique ? given : `call_${crypto.randomUUID().replaceAll('-', '')}`;
  usedIds.add(id);
  return id;
}
