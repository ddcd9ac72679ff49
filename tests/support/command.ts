/** Runs commands of the project as a user does. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SERVER_ENVIRONMENT } from '../../scripts/server-process.mjs';

const ROOT = join(import.meta.dirname, '../..');

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs Node with these arguments in the project folder until it ends. Only PATH and HOME are inherited from the tests'
 * environment. @param input standard input of the command
 */
export function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  input?: string,
): Promise<CommandResult> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...SERVER_ENVIRONMENT, ...environment },
  });
  child.stdin.end(input);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, stdout: output.stdout.trim(), stderr: output.stderr.trim() })),
  );
}
