import { History } from 'lucide-react';
import { texts } from '../texts.ts';
import { Empty } from '../ui/empty.tsx';

export default function HistoryView() {
  return <Empty icon={<History />} title={texts.history.emptyTitle} text={texts.history.emptyText} />;
}
