/** `npm test`: everything that must hold, in the order in which it fails fastest. */
import { install, NODE, run } from './install.mjs';

install();
run(NODE, ['scripts/build.mjs']);
run('npm', ['run', '--silent', 'check']);
run('vitest', ['run']);
run('vitest', ['run'], { TEST_DATABASE: 'postgres' });
run('playwright', ['test']);
