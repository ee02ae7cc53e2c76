const maxCommandCharacters = 10_000;

/**
 * Forms of command that are refused with a word to the model (T4). This is courtesy, so that a slip is
 * noticed early: the isolation of the sandbox is the boundary, and this list can be got around. No form may be one that takes
 * long to find that it is not there.
 */
const forms: readonly { readonly form: RegExp; readonly reason: string }[] = [
  { form: /(?<![\w-])rm(\s+-\S+)*\s+\/(\*|\s|$|;|&|\|)/, reason: 'it deletes the root of the file system' },
  { form: /\bmkfs(\.\w+)?\b/, reason: 'it formats a file system' },
  { form: /\bdd\b[^|;&]*\bof=\/dev\//, reason: 'it writes to a raw device' },
  { form: />\s*\/dev\/(sd|hd|vd|nvme|mmcblk)/, reason: 'it writes to a raw device' },
  { form: /:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;/, reason: 'it is a fork bomb' },
  { form: /(?<![\w-])chmod\s+(-\S+\s+)*(777|a\+rwx)\s+\/(\s|$|;)/, reason: 'it makes the root writable for everybody' },
  { form: /(?<![\w-])chown\s+(-\S+\s+)*\S+\s+\/(\s|$|;)/, reason: 'it changes the owner of the root' },
  { form: /\b(curl|wget)\b[^;&]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/, reason: 'it runs a download unread' },
  { form: /(^|[;&|]\s*)sudo\b/, reason: 'sudo is not available in the sandbox; you own the project folder' },
];

/** Why a command is refused, or null when it may run. */
export function blockedReason(command: string): string | null {
  if (command.length > maxCommandCharacters)
    return `it is longer than ${maxCommandCharacters} characters; write it into a script under scripts/ and run that`;
  return forms.find(({ form }) => form.test(command))?.reason ?? null;
}
