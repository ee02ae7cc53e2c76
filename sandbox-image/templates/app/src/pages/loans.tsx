import { PageFrame } from '../shell/page-frame.tsx';
import { Table } from '../views/table.tsx';

export default function Page() {
  return (
    <PageFrame id="loans">
      <Table view="table" id="table" list="loans" />
    </PageFrame>
  );
}
