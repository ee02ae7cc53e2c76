/** Matches the time that a page takes to read: “4 min read”. */
const readingTime =
  /^\d{1,3}[\s-]?(?:min(?:ute)?s?\.?)\s+(?:read|reading time|lesezeit|de lecture|de lectura|di lettura|de leitura|czytania)$/iu;
const readingLabel =
  /^(?:reading time|lesezeit|temps de lecture|tiempo de lectura)\s*:?\s*(?:ca\.?\s*)?\d{1,3}\s*min\p{L}*\.?$/iu;
const action =
  /^(?:copy (?:the )?link|copy url|share(?: this)?(?: (?:post|article|page|story))?|print(?: this page)?|tweet|pin it|e-?mail(?: this)?|subscribe|sign up for our newsletter|read more|continue reading|skip to (?:main )?content|back to top|cookie (?:settings|policy)|accept (?:all )?cookies|advertisement|link kopieren|teilen|artikel teilen|drucken|weiterlesen|anzeige|nach oben|partager|copier le lien|imprimer|lire la suite|compartir|copiar enlace|imprimir|leer más|condividi|copia link|stampa)\s*[→»›>]?$/iu;
const network =
  /^(?:twitter|x|facebook|linkedin|whatsapp|reddit|pinterest|instagram|threads|mastodon|bluesky|telegram|xing|hacker news|e-?mail|rss)$/iu;
const share =
  /^(?:share (?:this(?: \p{L}+)?|on|via)|share|follow us(?: on)?|teilen(?: auf)?|diesen artikel teilen|partager(?: sur)?|compartir(?: en)?|condividi(?: su)?)\s*:?\s+/iu;
/** Matches the other parts of the line below a headline: its date, its author, the number of comments. */
const byline =
  /^(?:(?:by|von|par|por|di)\s+\S.*|(?:last\s+)?(?:published|updated|posted|veröffentlicht|aktualisiert|publié|publicado|pubblicato)\b.*|\d+ comments?|\p{L}{3,10}\.?\s+\d{1,2},?\s+\d{4}|\d{1,2}\.?\s+\p{L}{3,10}\.?\s+\d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{2,4})$/iu;

const isTime = (part: string) => readingTime.test(part) || readingLabel.test(part);
const isControl = (part: string) => action.test(part) || network.test(part);

/**
 * Returns whether a line belongs to the page that a text was copied from, and not to the text: “8 September · 4 min read · by the
 * team”, “Share this post: LinkedIn | Copy link”.
 */
export function isFurniture(line: string): boolean {
  const lead = share.exec(line.trim())?.[0] ?? '';
  const parts = line
    .trim()
    .slice(lead.length)
    .split(/\s*[·|•]\s*|\s{3,}/u)
    .map((part) => part.replace(/[*_[\]]/gu, '').trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return false;
  if (parts.every(isControl)) return lead !== '' || parts.length > 1 || action.test(parts[0] ?? '');
  return parts.some(isTime) && parts.every((part) => isTime(part) || isControl(part) || byline.test(part));
}
