import { assets } from './texts/assets.ts';
import { common, errors } from './texts/common.ts';
import { composer, conversation, gates, work } from './texts/conversation.ts';
import { health, home } from './texts/home.ts';
import { plan } from './texts/plan.ts';
import { preview } from './texts/preview.ts';
import { phases, project, sandbox, standing, tab } from './texts/project.ts';
import { renders } from './texts/renders.ts';
import { settings } from './texts/settings.ts';
import { stage } from './texts/stage.ts';

/** Every word that the page says by itself, a file for each part of the page, ready to be translated. */
export const texts = {
  product: 'Koda',
  home,
  health,
  phases,
  standing,
  phaseLabel: 'Progress of the project',
  sandbox,
  tab,
  project,
  conversation,
  work,
  gates,
  composer,
  stage,
  assets,
  preview,
  plan,
  settings,
  renders,
  common,
  errors,
} as const;
