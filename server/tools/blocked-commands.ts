const maxCommandCharacters = 10_000;

/**
 * Commands that are rejected, with advice for the model. They only catch mistakes early; isolation comes from the
 * sandbox, and this list can be circumvented. Repetitions that another start of the same pattern can fall into are limited, so
 * that the time grows with the length of the command, not with its square.
 */
const forms: readonly { readonly form: RegExp; readonly reason: string }[] = [
  { form: /(?<![\w-])rm(\s+-\S{1,40}){0,10}\s+\/(\*|\s|$|;|&|\|)/, reason: 'it deletes the root of the file system' },
  { form: /\bmkfs(\.\w+)?\b/, reason: 'it formats a file system' },
  { form: /\bdd\b[^|;&]{0,300}\bof=\/dev\//, reason: 'it writes to a raw device' },
  { form: />\s*\/dev\/(sd|hd|vd|nvme|mmcblk)/, reason: 'it writes to a raw device' },
  { form: /:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;/, reason: 'it is a fork bomb' },
  { form: /(?<![\w-])chmod\s+(-\S{1,40}\s+){0,10}(777|a\+rwx)\s+\/(\s|$|;)/, reason: 'it makes the root writable for all users' },
  { form: /(?<![\w-])chown\s+(-\S{1,40}\s+){0,10}\S{1,80}\s+\/(\s|$|;)/, reason: 'it changes the owner of the root' },
  { form: /\b(curl|wget)\b[^;&]{0,1000}\|\s*(sudo\s+)?(ba|z|da)?sh\b/, reason: 'it runs a download without inspection' },
  { form: /(^|[;&|]\s*)sudo\b/, reason: 'sudo is not available in the sandbox; you own the project folder' },
];

/** Returns the reason why a command is rejected, or `null` if it may run. */
export function blockedReason(command: string): string | null {
  if (command.length > maxCommandCharacters)
    return `it is longer than ${maxCommandCharacters} characters; write it to a script under scripts/ and run that`;
  return forms.find(({ form }) => form.test(command))?.reason ?? null;
}
