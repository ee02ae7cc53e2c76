import type { Scope } from '#contract/access.ts';
import type { Batch, BatchRequest, BatchRow } from '#contract/batch.ts';
import type { EventBody } from '#contract/events.ts';
import type { Permission, PermissionUses } from '#contract/permission.ts';
import { localPersonId, type Principal } from '#contract/principal.ts';
import type {
  Approval,
  ApprovalResponse,
  Asset,
  Chip,
  Hints,
  Message,
  Phase,
  PlanDraft,
  PreviewError,
  ProjectError,
  SandboxState,
  Todo,
} from '#contract/project.ts';
import type { Aspect, ParameterValues, Render } from '#contract/render.ts';
import type { ScheduleDelivery, ScheduleRequest, ScheduleRun, ScheduleSource } from '#contract/schedules.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { foreignKey, index, integer, primaryKey, real, sql, sqliteTable, text, uniqueIndex } from './drizzle.ts';
import { eventsOf } from './event-kinds.ts';

export const projects = sqliteTable(
  'projects',
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    name: text().notNull(),
    prompt: text().notNull(),
    phase: text().$type<Phase>().notNull(),
    chips: text({ mode: 'json' }).$type<Chip[]>().notNull().default([]),
    /** The chips with these ids, for clients that predate chips. */
    style: text(),
    aspect: text().$type<Aspect>(),
    error: text({ mode: 'json' }).$type<ProjectError>(),
    thinking: text(),
    running: integer({ mode: 'boolean' }).notNull(),
    sandbox: text().$type<SandboxState>().notNull(),
    previewUrl: text('preview_url'),
    previewError: text('preview_error', { mode: 'json' }).$type<PreviewError>(),
    previewLabel: text('preview_label').notNull(),
    hints: text({ mode: 'json' }).$type<Hints>().notNull(),
    /** Sequence number of the last event. Stored here so that it never repeats after old events are pruned. */
    lastSeq: integer('last_seq').notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    /** Deletion time. A deleted project is hidden from everything except restoring and permanent removal. */
    deletedAt: text('deleted_at'),
    /** Id of the person to whom the project belongs. */
    owner: text().notNull().default(localPersonId),
  },
  (table) => [
    uniqueIndex('projects_preview_label').on(table.previewLabel),
    index('projects_created').on(table.createdAt, table.id),
    index('projects_running').on(table.id).where(sql`running = 1`),
  ],
);

/** Form of the plans that each kind has stored (`upgrade-plans.ts`). */
export const planVersions = sqliteTable('plan_versions', { kind: text().primaryKey(), version: integer().notNull() });

const projectId = () =>
  text('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' });

export const sessions = sqliteTable('sessions', {
  projectId: projectId().primaryKey(),
  status: text().$type<'active' | 'suspended' | 'closed'>().notNull(),
  lastCheckpointId: text('last_checkpoint_id'),
  lastActivityAt: text('last_activity_at').notNull(),
});

/** Append-only, except that `code.chunk` rows of ended runs are pruned (`prune-code.ts`). */
export const events = sqliteTable(
  'events',
  {
    projectId: projectId(),
    seq: integer().notNull(),
    type: text().$type<EventBody['type']>().notNull(),
    at: text().notNull(),
    /** Body as JSON text, including `type`. Text, so that a replay parses each event only once. */
    body: text().notNull(),
    /** Principal as JSON text. `null` in events of older versions, which did not record it. */
    by: text(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.seq] }),
    index('events_code').on(table.projectId, table.at).where(sql`type = 'code.chunk'`),
    index('events_activity').on(table.projectId, table.seq).where(eventsOf.activity),
    index('events_plans').on(table.projectId, table.seq).where(eventsOf.plans),
    index('events_queued_renders').on(table.projectId, table.seq).where(eventsOf.queuedRenders),
  ],
);

export const messages = sqliteTable(
  'messages',
  {
    id: text().primaryKey(),
    projectId: projectId(),
    seq: integer().notNull(),
    role: text().$type<Message['role']>().notNull(),
    content: text().notNull(),
    queued: integer({ mode: 'boolean' }).notNull(),
    at: text().notNull(),
    surface: text({ mode: 'json' }).$type<SurfaceMessages>(),
  },
  (table) => [index('messages_order').on(table.projectId, table.seq)],
);

export const todos = sqliteTable(
  'todos',
  {
    projectId: projectId(),
    position: integer().notNull(),
    id: text().notNull(),
    title: text().notNull(),
    key: text().notNull(),
    status: text().$type<Todo['status']>().notNull(),
    attempts: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.position] })],
);

export const plans = sqliteTable(
  'plans',
  {
    projectId: projectId(),
    revision: integer().notNull(),
    id: text().notNull(),
    accepted: integer({ mode: 'boolean' }).notNull(),
    draft: text({ mode: 'json' }).$type<PlanDraft>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.revision] }), index('plans_id').on(table.id)],
);

/** `response` is `null` while the approval is pending. */
export const approvals = sqliteTable(
  'approvals',
  {
    id: text().primaryKey(),
    projectId: projectId(),
    requestedSeq: integer('requested_seq').notNull(),
    settledSeq: integer('settled_seq'),
    type: text().$type<Approval['type']>().notNull(),
    content: text().notNull(),
    options: text({ mode: 'json' }).$type<Approval['options']>().notNull(),
    planId: text('plan_id'),
    callId: text('call_id').notNull(),
    at: text().notNull(),
    response: text({ mode: 'json' }).$type<ApprovalResponse>(),
    surface: text({ mode: 'json' }).$type<SurfaceMessages>(),
    permission: text({ mode: 'json' }).$type<Permission>(),
    /** Set while the approval is a lasting permission. */
    uses: text({ mode: 'json' }).$type<PermissionUses>(),
  },
  (table) => [index('approvals_order').on(table.projectId, table.requestedSeq)],
);

/**
 * Links a commit in the project's repository to its event. The project state at that time results from the events up to
 * `seq`.
 */
export const checkpoints = sqliteTable(
  'checkpoints',
  {
    id: text().primaryKey(),
    projectId: projectId(),
    seq: integer().notNull(),
    trigger: text().notNull(),
    commitId: text('commit_id').notNull(),
    treeId: text('tree_id').notNull(),
    at: text().notNull(),
  },
  (table) => [index('checkpoints_order').on(table.projectId, table.seq)],
);

export const assets = sqliteTable(
  'assets',
  {
    id: text().primaryKey(),
    projectId: projectId(),
    name: text().notNull(),
    file: text().notNull(),
    mime: text().notNull(),
    kind: text().$type<Asset['kind']>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** Hex digest of the uploaded bytes. `null` for uploads that predate stored hashes. */
    sha256: text(),
    width: integer(),
    height: integer(),
    moves: integer({ mode: 'boolean' }).notNull().default(false),
    at: text().notNull(),
  },
  (table) => [uniqueIndex('assets_name').on(table.projectId, table.name)],
);

export const renders = sqliteTable(
  'renders',
  {
    id: text().primaryKey(),
    projectId: projectId(),
    status: text().$type<Render['status']>().notNull(),
    settings: text({ mode: 'json' }).$type<Render['settings']>().notNull(),
    percent: real().notNull(),
    stage: text().$type<NonNullable<Render['stage']>>(),
    probe: text({ mode: 'json' }).$type<NonNullable<Render['probe']>>(),
    videoUrl: text('video_url'),
    thumbnailUrl: text('thumbnail_url'),
    renderTimeMs: integer('render_time_ms'),
    error: text({ mode: 'json' }).$type<NonNullable<Render['error']>>(),
    createdAt: text('created_at').notNull(),
    finishedAt: text('finished_at'),
    batch: text({ mode: 'json' }).$type<NonNullable<Render['batch']>>(),
  },
  (table) => [index('renders_order').on(table.projectId, table.createdAt, table.id), index('renders_status').on(table.status)],
);

export const batches = sqliteTable(
  'batches',
  {
    id: text().primaryKey(),
    projectId: projectId(),
    state: text().$type<Batch['state']>().notNull(),
    reason: text({ mode: 'json' }).$type<NonNullable<Batch['reason']>>(),
    /** Settings of all rows' renders. */
    request: text({ mode: 'json' }).$type<BatchRequest['render']>().notNull(),
    /** Who started it, and therefore all of its renders. */
    by: text({ mode: 'json' }).$type<Principal>().notNull(),
    createdAt: text('created_at').notNull(),
    finishedAt: text('finished_at'),
  },
  (table) => [index('batches_order').on(table.projectId, table.createdAt, table.id), index('batches_state').on(table.state)],
);

/** Events of renders change the rows (`projection.ts`). */
export const batchRows = sqliteTable(
  'batch_rows',
  {
    batchId: text('batch_id')
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    label: text().notNull(),
    parameters: text({ mode: 'json' }).$type<ParameterValues>().notNull(),
    state: text().$type<BatchRow['state']>().notNull(),
    renderId: text('render_id'),
    error: text({ mode: 'json' }).$type<NonNullable<BatchRow['error']>>(),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.number] }),
    index('batch_rows_state').on(table.batchId, table.state, table.number),
  ],
);

export const schedules = sqliteTable(
  'schedules',
  {
    id: text().primaryKey(),
    projectId: projectId(),
    name: text().notNull(),
    cron: text().notNull(),
    timeZone: text('time_zone').notNull(),
    source: text({ mode: 'json' }).$type<ScheduleSource>().notNull(),
    render: text({ mode: 'json' }).$type<ScheduleRequest['render']>().notNull(),
    keep: integer().notNull(),
    catchUp: integer('catch_up', { mode: 'boolean' }).notNull(),
    /** With the secret, because signing needs it. */
    delivery: text({ mode: 'json' }).$type<ScheduleDelivery>().notNull(),
    pausedBy: text('paused_by').$type<'person' | 'failures'>(),
    pausedAt: text('paused_at'),
    failures: integer().notNull().default(0),
    /** `null` while it is paused. */
    nextRunAt: text('next_run_at'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [index('schedules_next').on(table.nextRunAt), index('schedules_project').on(table.projectId, table.createdAt)],
);

export const scheduleRuns = sqliteTable(
  'schedule_runs',
  {
    id: text().primaryKey(),
    scheduleId: text('schedule_id')
      .notNull()
      .references(() => schedules.id, { onDelete: 'cascade' }),
    cause: text().$type<ScheduleRun['cause']>().notNull(),
    state: text().$type<ScheduleRun['state']>().notNull(),
    dueAt: text('due_at'),
    off: text({ mode: 'json' }).$type<NonNullable<ScheduleRun['off']>>(),
    startedAt: text('started_at').notNull(),
    finishedAt: text('finished_at'),
    digest: text(),
    /** The table as it was read, until its batch exists. */
    rows: text(),
    batchId: text('batch_id'),
    total: integer().notNull().default(0),
    made: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    error: text({ mode: 'json' }).$type<NonNullable<ScheduleRun['error']>>(),
    removed: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    index('schedule_runs_order').on(table.scheduleId, table.startedAt, table.id),
    index('schedule_runs_open').on(table.state).where(sql`finished_at IS NULL`),
  ],
);

/** One video on its way. Its id is the one that a receiver recognises a repetition by. */
export const deliveries = sqliteTable(
  'schedule_deliveries',
  {
    runId: text('run_id')
      .notNull()
      .references(() => scheduleRuns.id, { onDelete: 'cascade' }),
    row: integer().notNull(),
    renderId: text('render_id').notNull(),
    state: text().$type<'waiting' | 'delivered' | 'failed'>().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: text('next_attempt_at').notNull(),
    /** Path of the file in a folder. */
    file: text(),
    error: text({ mode: 'json' }).$type<NonNullable<ScheduleRun['error']>>(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.row] })],
);

/** When the server last noted that it runs. One row. */
export const scheduleClock = sqliteTable('schedule_clock', { id: integer().primaryKey(), aliveAt: text('alive_at').notNull() });

export const runs = sqliteTable(
  'runs',
  {
    id: text().primaryKey(),
    projectId: projectId(),
    startedAt: text('started_at').notNull(),
    /** The project's last event before the run, so that finding the run's events does not take longer in a long history. */
    afterSeq: integer('after_seq').notNull().default(0),
    finishedAt: text('finished_at'),
    outcome: text().$type<'completed' | 'stopped' | 'failed'>(),
    steps: integer().notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    costUsd: real('cost_usd').notNull(),
    /** Time that the run waited for other projects' sandboxes. */
    waitedMs: integer('waited_ms').notNull().default(0),
  },
  (table) => [index('runs_order').on(table.projectId, table.startedAt)],
);

/** A project's total model usage. No row means no usage. */
export const modelUsage = sqliteTable('model_usage', {
  projectId: projectId().primaryKey(),
  inputTokens: integer('input_tokens').notNull(),
  cachedInputTokens: integer('cached_input_tokens').notNull(),
  outputTokens: integer('output_tokens').notNull(),
  costUsd: real('cost_usd').notNull(),
});

export const runMessages = sqliteTable(
  'run_messages',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** JSON as text, because Drizzle's JSON columns do not distinguish JSON null from a missing value. */
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.position] })],
);

/** Call ids come from the model and are unique only within a run. */
export const toolCalls = sqliteTable(
  'tool_calls',
  {
    runId: text('run_id').notNull(),
    id: text().notNull(),
    name: text().notNull(),
    input: text().notNull(),
    status: text().$type<'running' | 'waiting' | 'completed' | 'error'>().notNull(),
    startedAt: text('started_at').notNull(),
    durationMs: integer('duration_ms'),
    summary: text(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.id] }),
    foreignKey({ columns: [table.runId], foreignColumns: [runs.id] }).onDelete('cascade'),
  ],
);

/**
 * Create requests with an `Idempotency-Key`. `status` is `null` while one is running, or if the server crashed in between.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    scope: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Suffix of created ids, by which a retry finds the resources. `null` in rows from older versions. */
    mark: text(),
    status: integer(),
    contentType: text('content_type'),
    body: text(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.key] })],
);

/** Access tokens of other programs. Only the hash of a secret is stored, so a copy of the database grants no access. */
export const tokens = sqliteTable(
  'tokens',
  {
    id: text().primaryKey(),
    /** SHA-256 of the secret in hex. */
    hash: text().notNull(),
    name: text().notNull(),
    scopes: text({ mode: 'json' }).$type<Scope[]>().notNull(),
    /** Ids of the projects. `null`: all projects. */
    projects: text({ mode: 'json' }).$type<string[]>(),
    createdAt: text('created_at').notNull(),
    lastUsedAt: text('last_used_at'),
    expiresAt: text('expires_at'),
  },
  (table) => [uniqueIndex('tokens_hash').on(table.hash)],
);
