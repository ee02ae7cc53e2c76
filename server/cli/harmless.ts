/**
 * A text without the signs that would command a terminal (set its title, write to the clipboard, draw over other lines) or
 * turn the direction of what it shows. What models, users and projects write may hold any of them.
 */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
