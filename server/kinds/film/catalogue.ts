import type { Format } from './define-format.ts';
import { ambient } from './formats/ambient.ts';
import { barChart } from './formats/bar-chart.ts';
import { beforeAfter } from './formats/before-after.ts';
import { calendar } from './formats/calendar.ts';
import { chat } from './formats/chat.ts';
import { checklist } from './formats/checklist.ts';
import { code } from './formats/code.ts';
import { comparison } from './formats/comparison.ts';
import { countdown } from './formats/countdown.ts';
import { endCard } from './formats/end-card.ts';
import { event } from './formats/event.ts';
import { features } from './formats/features.ts';
import { flow } from './formats/flow.ts';
import { headline } from './formats/headline.ts';
import { iconStory } from './formats/icon-story.ts';
import { lineChart } from './formats/line-chart.ts';
import { list } from './formats/list.ts';
import { loader } from './formats/loader.ts';
import { logo } from './formats/logo.ts';
import { lowerThird } from './formats/lower-third.ts';
import { map } from './formats/map.ts';
import { mockup } from './formats/mockup.ts';
import { notification } from './formats/notification.ts';
import { number } from './formats/number.ts';
import { people } from './formats/people.ts';
import { pie } from './formats/pie.ts';
import { price } from './formats/price.ts';
import { quote } from './formats/quote.ts';
import { race } from './formats/race.ts';
import { route } from './formats/route.ts';
import { shapes } from './formats/shapes.ts';
import { socialPost } from './formats/social-post.ts';
import { steps } from './formats/steps.ts';
import { terminal } from './formats/terminal.ts';
import { timeline } from './formats/timeline.ts';
import { title } from './formats/title.ts';

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

const byId = new Map<string, Format>(formats.map((format) => [format.id, format as Format]));

export function formatOf(id: string): Format | null {
  return byId.get(id) ?? null;
}
