import {
  BookOpen,
  Calendar,
  ClipboardList,
  File,
  Hammer,
  Heart,
  House,
  LayoutDashboard,
  type LucideIcon,
  MapPin,
  Package,
  ShoppingBasket,
  SquareKanban,
  Star,
  Table2,
  Users,
  Wallet,
} from 'lucide-react';

interface PageIcon {
  /** Name in the document, `''` for no icon of its own. */
  readonly value: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

/** Icons to choose for a page in the app's navigation. A document can name others. */
export const pageIcons: readonly PageIcon[] = [
  { value: '', label: 'None', icon: File },
  { value: 'table-2', label: 'Table', icon: Table2 },
  { value: 'square-kanban', label: 'Board', icon: SquareKanban },
  { value: 'calendar', label: 'Calendar', icon: Calendar },
  { value: 'layout-dashboard', label: 'Overview', icon: LayoutDashboard },
  { value: 'clipboard-list', label: 'Clipboard', icon: ClipboardList },
  { value: 'house', label: 'House', icon: House },
  { value: 'users', label: 'People', icon: Users },
  { value: 'package', label: 'Package', icon: Package },
  { value: 'book-open', label: 'Book', icon: BookOpen },
  { value: 'hammer', label: 'Hammer', icon: Hammer },
  { value: 'shopping-basket', label: 'Basket', icon: ShoppingBasket },
  { value: 'wallet', label: 'Wallet', icon: Wallet },
  { value: 'map-pin', label: 'Place', icon: MapPin },
  { value: 'heart', label: 'Heart', icon: Heart },
  { value: 'star', label: 'Star', icon: Star },
];
