import { SquareTerminal } from 'lucide-react';
import { texts } from '../texts.ts';
import { Empty } from '../ui/empty.tsx';

export default function TerminalView() {
  return <Empty icon={<SquareTerminal />} title={texts.terminal.asleepTitle} text={texts.terminal.asleepText} />;
}
