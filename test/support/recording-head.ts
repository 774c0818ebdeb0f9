/** For tests: writes down what a view was asked and what it answered, so that the same can be answered elsewhere. */
import type { HeadView } from "../../src/core/entity/edit/head-view.ts";

export interface RecordingHead {
  view: HeadView;
  /** Operation and arguments as JSON, to the answer. */
  answers: Record<string, unknown>;
}

export function recordingHead(given: HeadView): RecordingHead {
  const answers: Record<string, unknown> = {};
  const record = async <T>(question: readonly string[], answer: Promise<T>): Promise<T> => {
    const told = await answer;
    answers[JSON.stringify(question)] = told;
    return told;
  };
  return {
    view: {
      file: (path) => record(["file", path], given.file(path)),
      directory: (path) => record(["directory", path], given.directory(path)),
      directoryId: (commit, path) => record(["directoryId", commit, path], given.directoryId(commit, path)),
      goModules: () => record(["goModules"], given.goModules()),
    },
    answers,
  };
}
