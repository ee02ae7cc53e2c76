import type { Start } from '#kinds/app/contract/app.ts';
import type { LeadingWords } from '#kinds/app/contract/words.ts';
import type { AppDocument } from '../../../../sandbox-image/templates/app/model/document.ts';
import type { Values } from '../../../../sandbox-image/templates/app/model/record.ts';

/** An app that one can start from, with sample records. All people, shops and numbers are invented. */
export interface StartingPoint extends Pick<Start, 'id' | 'name' | 'text' | 'group'> {
  readonly words: LeadingWords;
  readonly document: AppDocument;
  /**
   * Records of each list by a key of their own. A relation has the keys of its records. A date is an offset in days from today, or a
   * day of this week (`tue`), of the last one (`tue-1`) or of the next one (`tue+1`).
   */
  readonly records: Readonly<Record<string, Readonly<Record<string, Values>>>>;
}
