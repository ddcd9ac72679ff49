/** The guard of the chat's replies, for a summary: what is not in the report goes, and nothing comes in its place. */
import { gatherEvidence, unfoundedClaim } from '../ai-chat/guard/evidence.ts';
import { lengthOfSegment } from '../ai-chat/guard/segments.ts';
import { gatherSubjects, isUnsupported } from '../ai-chat/guard/subjects.ts';
import { misplacedFigureFinder } from './misplaced-figure.ts';
import { type ReadReport, wordsOfReport } from './report-words.ts';

/** Keeps the sentences of a text whose figures, dates and promises stand in the report, for what the sentence puts them to. */
export function keepFounded(report: ReadReport, text: string): { kept: string; leftOut: number } {
  const sources = wordsOfReport(report);
  const isMisplaced = misplacedFigureFinder(report);
  const evidence = gatherEvidence(sources);
  const subjects = gatherSubjects(sources);
  let kept = '';
  let leftOut = 0;
  for (let rest = text; rest !== ''; ) {
    const isLineStart = rest === text || /\n\s*$/.test(text.slice(0, text.length - rest.length));
    const length = lengthOfSegment(rest, { isLineStart, isInFence: false }, true) || rest.length;
    const sentence = rest.slice(0, length);
    rest = rest.slice(length);
    const isKept =
      !isMisplaced(sentence) &&
      !unfoundedClaim(evidence, sentence, kept.slice(-120)) &&
      !isUnsupported(subjects, sentence, NOBODY);
    if (isKept) {
      kept += sentence;
      continue;
    }
    leftOut++;
    // The paragraph ends here without it, too.
    const end = /\n\s*$/.exec(sentence)?.[0];
    if (end && !/\n\s*$/.test(kept)) kept = kept.trimEnd() + end;
  }
  return { kept: kept.trim(), leftOut };
}

/** There is no visitor whose words may be repeated. */
const NOBODY: ReadonlySet<string> = new Set();
