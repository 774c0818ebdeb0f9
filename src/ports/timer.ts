/** Work at a later time, handed in, so that tests never wait. */
export interface Timer {
  /** Runs `work` once after that many milliseconds. Gives what takes it back. */
  after(milliseconds: number, work: () => void): () => void;
}
