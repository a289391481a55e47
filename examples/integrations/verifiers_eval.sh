# Evaluate a model with verifiers: bash examples/integrations/verifiers_eval.sh MODEL BASE_URL API_KEY_VARIABLE
vf-eval colbench-vf -m "$1" --client.base-url "$2" --client.api-key-var "$3" --no-push \
    -n 4 -r 2 --env.taskset.human scripted
