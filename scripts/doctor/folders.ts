import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, errorCode, MIN_FREE_BYTES } from '@signalfjord/backend';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

const LOW_SPACE_BYTES = 1024 ** 3;
const FEW_FILES = 1000;

/** Checks owners and modes in DATA_DIR, and its free disk space. */
export async function checkFolders({ DATA_DIR, DATABASE_URL, SUPABASE_URL }: Config): Promise<Finding[]> {
  if (SUPABASE_URL) return [];
  try {
    await access(DATA_DIR, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    if (isMissing && DATABASE_URL) return [ok('Folders', `${DATA_DIR} will be created when a file is uploaded.`)];
    return [
      failure(
        'Folders',
        `DATA_DIR ${DATA_DIR} ${isMissing ? 'does not exist' : 'cannot be read and written by this user'}. Set it to the server's folder, and run this command as the server's user.`,
      ),
    ];
  }
  return [...(await checkModes(DATA_DIR)), await checkFreeSpace(DATA_DIR)];
}

/**
 * Checks who can read the folder and its content. A user without access to DATA_DIR cannot reach its files, so the
 * modes of both count.
 */
async function checkModes(folder: string): Promise<Finding[]> {
  const outer = await stat(folder);
  const entries = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, ...(await stat(join(folder, name)).catch(() => null)) })),
  );
  const uid = process.getuid?.() ?? outer.uid;
  const foreign = [{ name: '.', uid: outer.uid }, ...entries].filter(
    (entry) => entry.uid !== undefined && entry.uid !== uid,
  );
  const exposed = entries.filter(
    ({ mode = 0 }) => (mode & 0o077 & outer.mode) !== 0 || (mode & 0o007 && outer.mode & 0o001),
  );
  const names = (list: { name: string }[]) =>
    list.map(({ name }) => (name === '.' ? folder : join(folder, name))).join(', ');
  const findings: Finding[] = [];
  if (foreign.length > 0 && uid !== 0) {
    findings.push(
      failure('Folders', `${names(foreign)} belongs to another user. Run chown -R to give it to the server's user.`),
    );
  }
  if (exposed.length > 0) {
    const message = `other users of this machine can read ${names(exposed)}. Run chmod -R go= ${folder}`;
    findings.push(failure('Folders', `${message}, and set UMask=0077 for the service.`));
  }
  return findings.length > 0 ? findings : [ok('Folders', `only this user can read ${folder}.`)];
}

async function checkFreeSpace(folder: string): Promise<Finding> {
  try {
    const { bavail, bsize, ffree, files } = await statfs(folder);
    const free = bavail * bsize;
    const message = `${(free / 1024 ** 3).toFixed(1)} GB are free for ${folder}`;
    const missing = MIN_FREE_BYTES - free;
    if (missing > 0) {
      const megabytes = Math.ceil(missing / 1024 ** 2);
      return failure(
        'Disk',
        `${message}, and nothing is written until ${megabytes} MB more are free. Free disk space.`,
      );
    }
    if (files > 0 && ffree < FEW_FILES)
      return failure('Disk', `the disk of ${folder} has only ${ffree} inodes left. Delete some files.`);
    if (free < LOW_SPACE_BYTES) return warning('Disk', `${message}. Free disk space soon.`);
    return ok('Disk', `${message}.`);
  } catch (error) {
    return failure('Disk', `the free disk space of ${folder} cannot be read (${reasonOf(error)}).`);
  }
}
