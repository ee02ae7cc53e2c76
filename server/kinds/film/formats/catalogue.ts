import { ambient } from './ambient.ts';
import { barChart } from './bar-chart.ts';
import { beforeAfter } from './before-after.ts';
import { calendar } from './calendar.ts';
import { chat } from './chat.ts';
import { checklist } from './checklist.ts';
import { code } from './code.ts';
import { comparison } from './comparison.ts';
import { countdown } from './countdown.ts';
import type { Format } from './define-format.ts';
import { endCard } from './end-card.ts';
import { event } from './event.ts';
import { features } from './features.ts';
import { flow } from './flow.ts';
import { headline } from './headline.ts';
import { iconStory } from './icon-story.ts';
import { lineChart } from './line-chart.ts';
import { list } from './list.ts';
import { loader } from './loader.ts';
import { logo } from './logo.ts';
import { lowerThird } from './lower-third.ts';
import { map } from './map.ts';
import { mockup } from './mockup.ts';
import { notification } from './notification.ts';
import { number } from './number.ts';
import { people } from './people.ts';
import { pie } from './pie.ts';
import { price } from './price.ts';
import { quote } from './quote.ts';
import { race } from './race.ts';
import { route } from './route.ts';
import { shapes } from './shapes.ts';
import { socialPost } from './social-post.ts';
import { steps } from './steps.ts';
import { table } from './table.ts';
import { terminal } from './terminal.ts';
import { timeline } from './timeline.ts';
import { title } from './title.ts';

/** Every format, most frequently requested first. */
export const formats = [
  title,
  endCard,
  lowerThird,
  features,
  number,
  barChart,
  steps,
  checklist,
  list,
  chat,
  quote,
  timeline,
  comparison,
  table,
  code,
  terminal,
  event,
  mockup,
  logo,
  notification,
  socialPost,
  countdown,
  lineChart,
  pie,
  race,
  price,
  beforeAfter,
  calendar,
  people,
  headline,
  flow,
  route,
  map,
  ambient,
  iconStory,
  loader,
  shapes,
] as const;

/** Formats whose motion is the point. All others rest once they have entered, so that their frames need not be drawn again. */
export const restlessFormats: ReadonlySet<string> = new Set([
  'ambient',
  'countdown',
  'flow',
  'icon-story',
  'loader',
  'race',
  'shapes',
  'terminal',
]);

const byId = new Map<string, Format>(formats.map((format) => [format.id, format as Format]));

export function formatOf(id: string): Format | null {
  return byId.get(id) ?? null;
}
