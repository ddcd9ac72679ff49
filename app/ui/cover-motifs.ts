/** Chooses the motif on the cover of an item. */
import { seededRandom } from '../lib/seeded-random.ts';

const MOTIFS = ['fjord', 'readings', 'soundings', 'lighthouse', 'tides', 'wake', 'beacons'] as const;

export type Motif = (typeof MOTIFS)[number];

/** Returns the seed's own motif. */
export function motifOf(seed: string): Motif {
  return MOTIFS[ownPlace(seed)] ?? MOTIFS[0];
}

/**
 * Motifs for the items of a list, so that neighbours differ: each has its own, as on its page, unless one of the `apart`
 * items before it has that.
 */
export function motifsInList(seeds: readonly string[], apart: number): Motif[] {
  const motifs: Motif[] = [];
  for (const seed of seeds) {
    const taken = motifs.slice(-apart);
    const own = ownPlace(seed);
    const inTurn = [...MOTIFS.slice(own), ...MOTIFS.slice(0, own)];
    motifs.push(inTurn.find((motif) => !taken.includes(motif)) ?? MOTIFS[0]);
  }
  return motifs;
}

function ownPlace(seed: string): number {
  return Math.floor(seededRandom(`cover ${seed}`)() * MOTIFS.length);
}
