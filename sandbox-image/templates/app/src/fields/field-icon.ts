import {
  AlignLeft,
  ArrowUpRight,
  AtSign,
  Banknote,
  Calculator,
  Calendar,
  Clock,
  Hash,
  Image,
  Link,
  type LucideIcon,
  Phone,
  Star,
  Tag,
  Tags,
  ToggleRight,
  Type,
  UserRound,
} from 'lucide-react';
import type { Field, FieldType } from '../../model/document.ts';
import { isPerson } from './show.tsx';

const icons: Readonly<Record<FieldType, LucideIcon>> = {
  text: Type,
  longtext: AlignLeft,
  number: Hash,
  money: Banknote,
  date: Calendar,
  time: Clock,
  choice: Tag,
  choices: Tags,
  rating: Star,
  yesno: ToggleRight,
  image: Image,
  link: Link,
  email: AtSign,
  phone: Phone,
  relation: ArrowUpRight,
  computed: Calculator,
};

/** The icon of a field's type. People have one of their own. */
export const fieldIcon = (field: Field): LucideIcon => (isPerson(field) ? UserRound : icons[field.type]);
