import { Settings } from 'lucide-react';
import { texts } from '../texts.ts';
import { Empty } from '../ui/empty.tsx';

export default function SettingsPage() {
  return <Empty heading icon={<Settings />} title={texts.settings.title} text="" />;
}
