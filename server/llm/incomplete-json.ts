/** Returns whether a text is the start of a JSON object that ends too early. */
export function isCutOff(json: string): boolean {
  const start = json.search(/\S/);
  return start >= 0 && json[start] === '{' && endOfObject(json, start) === null;
}

/** Returns the position after the object that starts at `start`, or `null` if the text ends inside it. */
export function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
