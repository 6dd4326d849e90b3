"""torch's own functions, by their names and arguments, where one text does what they do: `libtileops.torch.ops`.

They are operators of expressions, with gradients, and whole in graphs. What one of them does not do it refuses by name.
"""

from .indexing import embedding, gather, index_select, take_along_dim
from .losses import (binary_cross_entropy, binary_cross_entropy_with_logits, cross_entropy, huber_loss, kl_div, l1_loss, mse_loss, nll_loss,
                     smooth_l1_loss, soft_margin_loss)
from .norms import batch_norm, cosine_similarity, group_norm, instance_norm, layer_norm, normalize, rms_norm
from .reductions import (all, amax, amin, aminmax, any, argmax, argmin, count_nonzero, cummax, cummin, cumprod, cumsum, log_softmax,
                         logsumexp, max, mean, min, nanmean, nansum, norm, prod, softmax, softmin, std, std_mean, sum, var, var_mean,
                         vector_norm)

__all__ = ["all", "amax", "amin", "aminmax", "any", "argmax", "argmin", "batch_norm", "binary_cross_entropy",
           "binary_cross_entropy_with_logits", "cosine_similarity", "count_nonzero", "cross_entropy", "cummax", "cummin", "cumprod", "cumsum",
           "embedding", "gather", "group_norm", "huber_loss", "index_select", "instance_norm", "kl_div", "l1_loss", "layer_norm",
           "log_softmax", "logsumexp", "max", "mean", "min", "mse_loss", "nanmean", "nansum", "nll_loss", "norm", "normalize",
           "prod", "rms_norm", "smooth_l1_loss", "soft_margin_loss", "softmax", "softmin", "std", "std_mean", "sum",
           "take_along_dim", "var", "var_mean", "vector_norm"]
