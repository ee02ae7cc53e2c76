import { createHmac } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { copyFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve, sep } from 'node:path';
import { hasCode, KodaError } from '#contract/errors.ts';
import type { ScheduleDelivery } from '#contract/schedules.ts';
import { connectionProblem, type Fetch, isRefusedAddress, leadsInside } from '../lib/outbound-fetch.ts';
import { makeDirectory, storageFull, sync } from '../storage/durable-file.ts';
import { isListed, shortAddress } from './fetch-table.ts';

export interface DeliveryPlaces {
  /** Folder for relative paths. */
  readonly exports: string;
  /** Other folders that the operator allows. */
  readonly folders: readonly string[];
  /** Addresses of receivers that may be inside the network. */
  readonly webhooks: readonly string[];
  /** Reaches no private address. */
  readonly fetch: Fetch;
  readonly fetchListed: Fetch;
}

export interface Video {
  /** The same for all attempts, so that a receiver recognises a repetition. */
  readonly id: string;
  readonly path: string;
  readonly contentType: string;
  /** Name of the file for the receiver. */
  readonly name: string;
}

/** A delivery that no further attempt can complete. */
export class FinalDeliveryError extends KodaError {}

const timeoutMs = 10 * 60_000;
/** Answers of a receiver that may take the video later. */
const laterStatuses = new Set([408, 425, 429]);

const inside = () =>
  new FinalDeliveryError('FORBIDDEN', 'This address leads inside the network and is not allowed.', {
    details: { field: 'delivery.url' },
  });

/** Throws VALIDATION_ERROR or FORBIDDEN if nothing may be delivered there. */
export async function assertMayDeliver(delivery: ScheduleDelivery, places: DeliveryPlaces): Promise<void> {
  if (delivery.type === 'folder') folderOf(delivery.folder, places);
  if (delivery.type !== 'webhook' || isListed(delivery.url, places.webhooks)) return;
  if (await leadsInside(new URL(delivery.url).hostname)) throw inside();
}

/**
 * Delivers a video. Throws `FinalDeliveryError`, or a KodaError after which another attempt may succeed. Returns the file in a
 * folder, or `null`.
 */
export async function deliver(
  video: Video,
  delivery: ScheduleDelivery,
  places: DeliveryPlaces,
  options: { nowMs: number; signal: AbortSignal },
): Promise<string | null> {
  switch (delivery.type) {
    case 'none':
      return null;
    case 'folder':
      return await copyTo(folderOf(delivery.folder, places), video);
    case 'webhook':
      await post(video, delivery, places, options);
      return null;
  }
}

interface Folder {
  readonly base: string;
  readonly path: string;
}

function folderOf(folder: string, { exports, folders }: DeliveryPlaces): Folder {
  const refuse = (why: string) =>
    new FinalDeliveryError('VALIDATION_ERROR', `Nothing may be saved in ${folder}: ${why}`, {
      details: { field: 'delivery.folder' },
    });
  if (!isAbsolute(folder)) {
    const path = resolve(exports, folder.replace(/^exports\//, ''));
    if (!isWithin(path, exports)) throw refuse('it is outside the folder for exports.');
    return { base: exports, path };
  }
  const path = resolve(folder);
  const base = folders.find((allowed) => isWithin(path, allowed));
  if (base === undefined) throw refuse('the operator allows folders with KODA_DELIVERY_FOLDERS.');
  return { base, path };
}

const isWithin = (path: string, base: string) => path === base || path.startsWith(base.endsWith(sep) ? base : base + sep);

async function copyTo({ base, path: folder }: Folder, { path, name }: Video): Promise<string> {
  const target = join(folder, basename(name));
  // Every attempt uses the same name, so the next one overwrites what a crash left behind.
  const partial = join(folder, `.${basename(name)}.partial`);
  try {
    await makeDirectory(folder);
    if (!isWithin(await realpath(folder), await realpath(base)))
      throw new FinalDeliveryError('FORBIDDEN', `Nothing may be saved in ${folder}: a link there leads elsewhere.`);
    await copyFile(path, partial);
    await sync(partial);
    await rename(partial, target);
    await sync(folder);
    return target;
  } catch (error) {
    if (error instanceof KodaError) throw error;
    await rm(partial, { force: true }).catch(() => undefined);
    if (hasCode(error, 'ENOSPC', 'EDQUOT')) throw storageFull(error);
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new KodaError('SERVICE_UNAVAILABLE', `The video could not be saved in ${folder}${code}.`, { cause: error });
  }
}

/** Signs as Standard Webhooks does: HMAC-SHA256 over id, time and body, in base 64. */
export async function signatureOf(
  path: string,
  secret: string,
  { id, seconds }: { id: string; seconds: number },
): Promise<string> {
  const hmac = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  hmac.update(`${id}.${seconds}.`);
  for await (const chunk of createReadStream(path)) hmac.update(chunk as Buffer);
  return `v1,${hmac.digest('base64')}`;
}

async function post(
  video: Video,
  { url, secret = '' }: Extract<ScheduleDelivery, { type: 'webhook' }>,
  { webhooks, fetch, fetchListed }: DeliveryPlaces,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<void> {
  const short = shortAddress(url);
  const seconds = Math.floor(nowMs / 1000);
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const send = isListed(url, webhooks) ? fetchListed : fetch;
  const headers = {
    'content-type': video.contentType,
    'content-disposition': `attachment; filename="${video.name}"`,
    'webhook-id': video.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': await signatureOf(video.path, secret, { id: video.id, seconds }),
  };
  let status: number;
  try {
    const response = await send(url, { method: 'POST', headers, body: await openAsBlob(video.path), signal: ends });
    status = response.status;
    await response.body?.cancel();
  } catch (error) {
    if (signal.aborted) throw error;
    if (isRefusedAddress(error)) throw inside();
    const why = ends.aborted ? `there was no answer within ${timeoutMs / 60_000} minutes` : connectionProblem(error);
    const Failure = why.startsWith('it redirects') ? FinalDeliveryError : KodaError;
    throw new Failure('SERVICE_UNAVAILABLE', `${short} did not take the video: ${why}.`, { cause: error });
  }
  if (status >= 200 && status < 300) return;
  const Failure = status >= 500 || laterStatuses.has(status) ? KodaError : FinalDeliveryError;
  throw new Failure('SERVICE_UNAVAILABLE', `${short} did not take the video: it answered ${status}.`);
}
