import { PageFrame } from '../shell/page-frame.tsx';
import { Table } from '../views/table.tsx';

export default function Page() {
  return (
    <PageFrame id="tools">
      <Table view="table" id="table" list="tools" />
    </PageFrame>
  );
}
