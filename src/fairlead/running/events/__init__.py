"""Events while a run goes on: what they change, the blow of a lock, and the run as a chain of variants."""
