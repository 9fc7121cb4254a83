"""What a model file may say of controllers, and the plan of those that are known beforehand."""
